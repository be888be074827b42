//! Fewer slots in Postgres than the server may use.

use futures_util::future::join_all;
use sqlx::{AssertSqlSafe, Executor as _};

use crate::outages::ground::next_shot;
use ground::handmade::Handmade;
use ground::server::Server;
use ground::table::Table;
use ground::wire::ask;

#[tokio::test]
async fn sixteen_games_play_on_where_postgres_has_slots_for_five() {
    for limit in [
        // For all, for a role, and for a database.
        "alter system set max_connections = 5",
        "alter role naval_battle connection limit 5",
        "alter database postgres connection limit 5",
    ] {
        let mut handmade = Handmade::trusting(&["superuser_reserved_connections=0", "max_wal_senders=0"]);
        let database = handmade.database();
        let mut direct = database.connect().await;
        for statement in ["create role player login", "grant create on schema public to player", limit] {
            direct.execute(AssertSqlSafe(statement.replace("naval_battle", "player"))).await.unwrap();
        }
        drop(direct);
        handmade.stop();
        handmade.start_again();
        let server = Server::start_with(&database, &[("DATABASE_URL", &handmade.url_of("player"))]);

        let tables = join_all((0..16).map(|_| Table::in_battle(&server))).await;
        join_all(tables.iter().map(async |table| {
            for _ in 0..10 {
                let shot = next_shot(&server, table).await.unwrap();
                ask(&shot).await.unwrap().expect(200);
                table.look(&server, None).await.expect(200);
            }
        }))
        .await;

        for table in &tables {
            assert_eq!(table.log(&server).await.len(), 14, "{limit}");
        }
    }
}
