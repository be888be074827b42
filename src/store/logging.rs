//! What Postgres writes into its log of what it is given.

use sqlx::PgConnection;

use super::distributed::Spread;

/// Warns where the log of Postgres would show what players hide: parameters of statements are layouts,
/// salts and the seeds of bots.
pub(super) async fn warn(connection: &mut PgConnection, spread: Spread) -> Result<(), sqlx::Error> {
    if spread == Spread::Nodes {
        log::warn!(
            "the nodes of the database send each other statements with what players hide, and write those that fail into \
             their logs: set NAVAL_BATTLE_SEAL_KEY, or log_min_error_statement = panic at each; docs/operations.md says how"
        );
    }
    let telling = sqlx::query_scalar!(
        r#"with settings as (select name, setting from pg_settings),
           statements as (
               select name, setting from settings
                where name = 'log_statement' and setting in ('mod', 'all')
                   or name in ('log_min_duration_statement', 'log_min_duration_sample') and setting::float8 >= 0
                   or name = 'log_transaction_sample_rate' and setting::float8 > 0),
           told as (
               select * from statements
                where exists (select from settings where name = 'log_parameter_max_length' and setting <> '0')
                union all
               select * from settings
                where name = 'auto_explain.log_min_duration' and setting::float8 >= 0
                  and exists (select from settings where name = 'auto_explain.log_parameter_max_length' and setting <> '0')
                union all
               select * from settings where name = 'pgaudit.log_parameter' and setting = 'on')
           select string_agg(name || ' = ' || setting, ', ') from told"#
    )
    .fetch_one(connection)
    .await?;
    if let Some(settings) = telling {
        log::warn!(
            "Postgres writes into its log what players hide, since {settings}: layouts of running games would stand \
             there. Set log_parameter_max_length = 0, or NAVAL_BATTLE_SEAL_KEY; docs/operations.md says how"
        );
    }
    Ok(())
}
