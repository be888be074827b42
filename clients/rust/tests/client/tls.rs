//! `https` addresses.

use naval_battle_client::{Client, Error, Retries};

use crate::made::Made;

#[tokio::test]
async fn https_is_spoken_and_nobody_is_trusted_who_does_not_speak_it() {
    let server = Made::giving(vec![String::new()]).await;
    let secure = server.base.replace("http:", "https:");

    let api = Client::new(&secure).expect("the system has certificates").retrying(Retries::NEVER);
    let refused = api.rules().await;

    assert!(matches!(refused, Err(Error::NoAnswer(_))), "{refused:?}");
    let said = format!("{:?}", refused.unwrap_err());
    assert!(!said.contains("scheme is not http"), "{said}");
    assert_eq!(server.asked(), ["handshake"]);
}
