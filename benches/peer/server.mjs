//! boardgame.io's server with its storage in Postgres: `node server.mjs SOCKET_FOLDER DATABASE`.
//!
//! It writes the port that it listens on, on the loopback interface, to standard output.

import { PostgresStore } from "bgio-postgres";
import boardgame from "boardgame.io/dist/cjs/server.js";

import { Battleship } from "./game.mjs";

const [host, database] = process.argv.slice(2);
// As many connections as the other server has; without a pool's size it would be 5. Statements are
// not written to the console, which Sequelize does by default.
const db = new PostgresStore({
    host,
    port: 5432,
    username: "naval_battle",
    database,
    logging: false,
    pool: { max: 12 },
});
const server = boardgame.Server({ games: [Battleship], db, origins: [] });
// Node listens on what this object says; by a number alone it would listen on every interface.
const { appServer } = await server.run({ port: { port: 0, host: "127.0.0.1" } });
console.log(`port ${appServer.address().port}`);
