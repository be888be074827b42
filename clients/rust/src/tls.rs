use reqwest::ClientBuilder;

use crate::Error;

/// Gives connections their TLS: rustls on ring, with the certificates that the system trusts.
#[cfg(feature = "tls")]
pub(crate) fn connecting(builder: ClientBuilder, is_needed: bool) -> Result<ClientBuilder, Error> {
    use std::sync::Arc;

    use rustls::crypto::ring::default_provider;
    use rustls::{ClientConfig, RootCertStore};
    use rustls_platform_verifier::BuilderVerifierExt as _;

    let refused = |cause: rustls::Error| Error::Tls(cause.into());
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()));
    let config = config.with_safe_default_protocol_versions().map_err(refused)?;
    let verifying = match config.clone().with_platform_verifier() {
        Ok(verifying) => verifying,
        Err(cause) if is_needed => return Err(refused(cause)),
        // A system without certificates trusts nobody; plain HTTP needs none.
        Err(_) => config.with_root_certificates(RootCertStore::empty()),
    };
    Ok(builder.tls_backend_preconfigured(verifying.with_no_client_auth()))
}

/// There is no TLS.
#[cfg(not(feature = "tls"))]
pub(crate) fn connecting(builder: ClientBuilder, is_needed: bool) -> Result<ClientBuilder, Error> {
    if is_needed {
        return Err(Error::Tls("https needs the feature `tls` of naval-battle-client".into()));
    }
    Ok(builder)
}
