-- The seed from which a bot's choices come, kept where its layout is and shown when the layout is:
-- whoever knows it before knows the bot's board.
alter table layouts add column bot_seed bytea;
