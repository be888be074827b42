//! Requests that meet: on two servers over one database, started at once.

mod hiding;
mod two_servers;

use futures_util::future::join_all;
use ground::held::Held;
use ground::server::Reply;
use ground::table::{Table, cells_of, usual};
use ground::wire::{Written, at_once, get, post};
use serde_json::{Value, json};
use testing::campaign;
use testing::model::Seat::{self, Guest, Host};
use two_servers::{TwoServers, accepted, cells, fire, place, refused, resign, reveal};

#[tokio::test]
async fn of_sixteen_who_join_at_once_exactly_one_is_seated() {
    let servers = TwoServers::open().await;
    for _ in 0..20 {
        let mut table = Table::create(&servers.one, &json!({})).await;

        let replies = at_once(&servers.sixteen(|server| post(server, &table.path("/join"), None, &json!({})))).await;

        let seated: Vec<&Reply> = accepted(&replies, 201);
        assert_eq!(seated.len(), 1, "{replies:?}");
        seated[0].json["token"].as_str().unwrap().clone_into(&mut table.guest);
        for refused in refused(&replies, &["game_full"]) {
            assert!(refused.json.get("token").is_none(), "{}", refused.text);
        }
        table.place(&servers.two, Guest, &usual()).await.expect(200);
        table.place(&servers.one, Host, &usual()).await.expect(200);
        let late = servers.two.post(&table.path("/join"), None, &json!({})).await;
        late.refuses(409, "game_full");
        servers.check(&table).await;
    }
}

#[tokio::test]
async fn of_sixteen_equal_shots_at_once_one_is_fired() {
    let servers = TwoServers::open().await;
    let table = Table::in_battle(&servers.one).await;
    for (round, cell) in cells().take(24).enumerate() {
        for seat in [Host, Guest] {
            let replies = at_once(&servers.sixteen(|server| fire(server, &table, seat, cell))).await;

            let fired = accepted(&replies, 200);
            assert_eq!(fired.len(), 1, "{replies:?}");
            assert_eq!(fired[0].json["events"].as_array().unwrap().len(), 1);
            refused(&replies, &["not_your_turn"]);
        }
        assert_eq!(table.log(&servers.two).await.len(), 4 + 2 * (round + 1));
    }
    servers.check(&table).await;
}

#[tokio::test]
async fn of_sixteen_equal_hits_at_once_one_is_fired_though_the_turn_is_kept() {
    let servers = TwoServers::open().await;
    let table = servers.shoot_again().await;
    for cell in ["A1", "B1", "C1", "D1", "E1", "A3", "B3", "C3", "D3"] {
        let replies = at_once(&servers.sixteen(|server| fire(server, &table, Host, cell))).await;

        assert_eq!(accepted(&replies, 200).len(), 1, "{replies:?}");
        refused(&replies, &["already_fired"]);
    }
    assert_eq!(servers.check(&table).await.len(), 4 + 9);
}

#[tokio::test]
async fn of_two_different_shots_at_once_one_is_fired_and_the_other_never() {
    let servers = TwoServers::open().await;
    let table = Table::in_battle(&servers.one).await;
    let mut events = 4;
    for pair in cells().take(48).collect::<Vec<_>>().chunks(2) {
        for seat in [Host, Guest] {
            let both = [fire(&servers.one, &table, seat, pair[0]), fire(&servers.two, &table, seat, pair[1])];

            let replies = at_once(&both).await;

            events += 1;
            assert_eq!(accepted(&replies, 200).len(), 1, "{replies:?}");
            refused(&replies, &["not_your_turn"]);
            // The turn has come and gone, and the other shot was not kept for the next one.
            assert_eq!(table.log(&servers.one).await.len(), events);
        }
    }
    servers.check(&table).await;
}

#[tokio::test]
async fn a_shot_that_lost_to_a_hit_is_in_flight_though_the_rules_would_allow_it() {
    let servers = TwoServers::open().await;
    let table = servers.shoot_again().await;
    let mut met = 0;
    for pair in [["A1", "B1"], ["C1", "D1"], ["A3", "B3"], ["C3", "D3"], ["A5", "B5"], ["A7", "B7"]] {
        let before = table.log(&servers.one).await.len();
        let mut held = Held::take(&servers.database, &table).await;
        let both = [fire(&servers.one, &table, Host, pair[0]), fire(&servers.two, &table, Host, pair[1])];

        let (replies, have_met) = tokio::join!(at_once(&both), async {
            let have_met = held.is_awaited_by(2).await;
            held.release().await;
            have_met
        });

        // Whoever waits too long for somebody else's session is in flight as well.
        refused(&replies, &["in_flight"]);
        let fired = accepted(&replies, 200).len();
        assert!(fired == 1 || (fired == 0 && !have_met), "{replies:?}");
        assert_eq!(table.log(&servers.two).await.len(), before + fired);
        met += fired;
    }
    assert!(met > 0, "no two shots ever met");
    servers.check(&table).await;
}

#[tokio::test]
async fn of_many_shots_that_wait_for_a_held_game_one_is_fired() {
    let servers = TwoServers::open().await;
    let table = servers.shoot_again().await;
    let mut met = 0;
    for cells in ["A1 B1 C1 D1 E1 A3 B3 C3", "D3 A5 B5 C5 A7 B7 C7 E7"] {
        let before = table.log(&servers.one).await.len();
        let mut held = Held::take(&servers.database, &table).await;
        // More than may work at one game at a time: the last of them wait outside.
        let many: Vec<Written> = cells.split(' ').map(|cell| fire(&servers.one, &table, Host, cell)).collect();

        let (replies, have_met) = tokio::join!(at_once(&many), async {
            let have_met = held.is_awaited_by(4).await;
            // The others have been read by now, too.
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            held.release().await;
            have_met
        });

        refused(&replies, &["in_flight"]);
        let fired = accepted(&replies, 200).len();
        assert!(fired == 1 || (fired == 0 && !have_met), "{replies:?}");
        assert_eq!(table.log(&servers.two).await.len(), before + fired);
        met += fired;
    }
    assert!(met > 0, "no shots ever met");
    servers.check(&table).await;
}

#[tokio::test]
async fn of_sixteen_different_hits_for_one_version_one_is_fired() {
    let servers = TwoServers::open().await;
    let table = servers.shoot_again().await;
    for cells in ["A1 B1 C1 D1 E1 A3 B3 C3 D3 A5 B5 C5 A7 B7 C7 E7", "F1 G1 H1 I1 J1 F3 G3 H3 I3 J3 G5 H5 I5 J5 A9 B9"]
    {
        let seen = table.look(&servers.one, Some(Host)).await;
        let tag = seen.header("etag").unwrap();
        let shots = cells.split(' ').enumerate();
        let shots: Vec<Written> =
            shots.map(|(index, cell)| fire(servers.server(index), &table, Host, cell).with("If-Match", tag)).collect();

        let replies = at_once(&shots).await;

        assert_eq!(accepted(&replies, 200).len(), 1, "{replies:?}");
        for other in replies.iter().filter(|reply| reply.status != 200) {
            assert!([(412, "stale_version"), (409, "in_flight")].contains(&(other.status, other.code())), "{other:?}");
        }
    }
    assert_eq!(servers.check(&table).await.len(), 4 + 2);
}

#[tokio::test]
async fn whatever_of_different_hits_at_once_was_acknowledged_is_in_the_log_once() {
    let servers = TwoServers::open().await;
    for _ in 0..12 {
        let table = servers.shoot_again().await;
        let cells = ["A1", "B1", "C1", "D1", "A3", "B3", "C3", "D3"];
        let shots = cells.iter().enumerate().map(|(index, cell)| fire(servers.server(index), &table, Host, cell));

        let replies = at_once(&shots.collect::<Vec<_>>()).await;

        // A request that comes when another is done is a request for the next turn.
        let fired = accepted(&replies, 200);
        refused(&replies, &["in_flight"]);
        let mut acknowledged: Vec<&Value> = fired.iter().map(|reply| &reply.json["events"][0]).collect();
        acknowledged.sort_by_key(|event| event["seq"].as_u64());
        let log = servers.check(&table).await;
        assert!(!fired.is_empty());
        assert_eq!(acknowledged, log[4..].iter().collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn both_place_at_once_and_the_battle_begins_once() {
    let servers = TwoServers::open().await;
    for round in 0..campaign(12, 24) {
        let table = Table::joined(servers.server(round), &json!({})).await;
        let (host, guest) = (servers.server(round / 2), servers.server(round));

        let both = [place(host, &table, Host), place(guest, &table, Guest)];
        let replies = at_once(&both).await;

        assert_eq!(accepted(&replies, 200).len(), 2, "{replies:?}");
        let log = servers.check(&table).await;
        assert_eq!(log.len(), 4);
        assert_eq!(log.iter().filter(|event| event["status"] == "battle").count(), 1);
    }
}

#[tokio::test]
async fn of_sixteen_layouts_at_once_each_seat_has_one_and_its_salt() {
    let servers = TwoServers::open().await;
    for _ in 0..10 {
        let table = Table::joined(&servers.one, &json!({"first": "host"})).await;
        let mut seats = [Host, Guest].into_iter().cycle();

        let replies = at_once(&servers.sixteen(|server| place(server, &table, seats.next().unwrap()))).await;

        let placed = accepted(&replies, 200);
        assert_eq!(placed.len(), 2, "{replies:?}");
        refused(&replies, &["already_placed"]);
        for reply in placed {
            let seat = if reply.json["events"][0]["seat"] == "host" { Host } else { Guest };
            let seen = table.look(&servers.two, Some(seat)).await;
            assert_eq!(seen.expect(200)["boards"][seat.name()]["salt"], reply.json["salt"]);
        }
        assert_eq!(servers.check(&table).await.len(), 4);
    }
}

#[tokio::test]
async fn of_two_who_give_a_cell_away_at_once_one_does() {
    let servers = TwoServers::open().await;
    for (round, cells) in
        [["A1", "A1"], ["A1", "B1"], ["A1", "E7"], ["C3", "C3"]].into_iter().cycle().take(16).enumerate()
    {
        let table = Table::in_battle(servers.server(round)).await;
        table.fire(&servers.one, Host, "J10").await.expect(200);

        let both =
            [reveal(&servers.one, &table, Host, cells[0]), reveal(servers.server(round), &table, Host, cells[1])];
        let replies = at_once(&both).await;

        assert_eq!(accepted(&replies, 200).len(), 1, "{replies:?}");
        refused(&replies, &["not_your_turn"]);
        assert_eq!(servers.check(&table).await.len(), 6);
    }
}

#[tokio::test]
async fn a_shot_and_the_other_seats_resigning_at_once_come_one_after_the_other() {
    let servers = TwoServers::open().await;
    for round in 0..campaign(12, 24) {
        let table = Table::in_battle(&servers.one).await;

        let both = [fire(servers.server(round), &table, Host, "A1"), resign(&servers.two, &table, Guest)];
        let replies = at_once(&both).await;

        replies[1].expect(200);
        let fired = accepted(&replies[..1], 200).len();
        refused(&replies, &["game_over"]);
        let log = servers.check(&table).await;
        assert_eq!(log.len(), 4 + fired + 1);
        assert_eq!(log.last().unwrap()["result"], json!({"reason": "resigned", "winner": "host"}));
    }
}

#[tokio::test]
async fn a_layout_and_the_other_seats_resigning_at_once_come_one_after_the_other() {
    let servers = TwoServers::open().await;
    for round in 0..campaign(12, 24) {
        let table = Table::joined(&servers.two, &json!({})).await;

        let both = [place(servers.server(round), &table, Host), resign(&servers.one, &table, Guest)];
        let replies = at_once(&both).await;

        replies[1].expect(200);
        let placed = accepted(&replies[..1], 200).len();
        refused(&replies, &["game_over"]);
        let log = servers.check(&table).await;
        assert_eq!(log.len(), 2 + placed + 1);
        assert_eq!(log.last().unwrap()["status"], "aborted");
    }
}

#[tokio::test]
async fn somebody_who_joins_while_the_host_resigns_is_seated_or_comes_too_late() {
    let servers = TwoServers::open().await;
    for round in 0..campaign(12, 24) {
        let mut table = Table::create(&servers.one, &json!({"listed": true})).await;

        let both =
            [post(servers.server(round), &table.path("/join"), None, &json!({})), resign(&servers.one, &table, Host)];
        let replies = at_once(&both).await;

        replies[1].expect(200);
        let joined = accepted(&replies[..1], 201);
        if let Some(reply) = joined.first() {
            reply.json["token"].as_str().unwrap().clone_into(&mut table.guest);
        }
        refused(&replies, &["game_over"]);
        let log = servers.check(&table).await;
        assert_eq!(log.len(), 1 + joined.len() + 1);
        assert_eq!(log.last().unwrap()["status"], "aborted");
        assert_eq!(servers.count("select count(*) from lobby").await, 0);
    }
}

#[tokio::test]
async fn whatever_sixteen_ask_for_at_once_the_log_is_a_game_by_the_rules() {
    let servers = TwoServers::open().await;
    for round in 0..campaign(8, 16) {
        let table = servers.shoot_again().await;
        let mut events = 4;
        // The fourth time somebody gives up as well.
        let mut over = false;
        for turn in 0..4 {
            let mut all = Vec::new();
            for (index, cell) in cells().skip(4 * (turn + round % 4)).take(4).enumerate() {
                all.push(fire(servers.server(index), &table, Host, cell));
                all.push(fire(servers.server(index + 1), &table, Guest, cell));
            }
            all.push(fire(&servers.one, &table, if round % 2 == 0 { Host } else { Guest }, "J10"));
            all.push(reveal(&servers.two, &table, Host, "E7"));
            all.push(reveal(&servers.one, &table, Guest, "F7"));
            all.push(place(&servers.one, &table, Host));
            all.push(post(&servers.two, &table.path("/join"), None, &json!({})));
            all.push(post(&servers.one, &table.path("/join"), Some(&table.guest), &json!({})));
            all.push(get(&servers.two, &table.path("/events"), None));
            all.push(if turn == 3 {
                resign(&servers.one, &table, Guest)
            } else {
                get(&servers.one, &table.path(""), None)
            });
            all.rotate_left(round % 16);

            let replies = at_once(&all).await;

            let acted =
                replies.iter().filter(|reply| reply.json["events"].as_array().is_some_and(|list| list.len() == 1));
            events += acted.filter(|reply| reply.status == 200 && reply.json.get("awaiting").is_some()).count();
            for reply in &replies {
                assert!([200, 409, 422].contains(&reply.status), "{reply:?}");
            }
            assert_eq!(servers.check(&table).await.len(), events);
            over |= replies.iter().any(|reply| reply.text.contains("\"resigned\"") && reply.status == 200);
        }
        // Giving up may be in flight beside a shot of the same seat.
        assert_eq!(table.look(&servers.two, None).await.expect(200)["status"] == "finished", over);
    }
}

#[tokio::test]
async fn many_games_are_played_at_once_each_on_both_servers() {
    let servers = TwoServers::open().await;

    let count = campaign(24, 64);
    let games = join_all((0..count).map(|number| a_short_game(&servers, number))).await;

    for table in &games {
        let log = servers.check(table).await;
        assert_eq!(log.last().unwrap()["result"], json!({"reason": "fleet_sunk", "winner": "host"}));
    }
    assert_eq!(servers.count("select count(*) from games").await, i64::try_from(count).unwrap());
    assert_eq!(
        servers.count("select count(distinct host_token) + count(distinct guest_token) from games").await,
        i64::try_from(2 * count).unwrap()
    );
}

/// A whole game, every request to the other server: a mine, a cell given away, and the host wins.
async fn a_short_game(servers: &TwoServers, number: usize) -> Table {
    let mut turns = number..;
    let mut next = || servers.server(turns.next().unwrap());
    let options = json!({"options": {"first": "host"}, "name": format!("host {number}")});
    let mut table = Table::create(next(), &options).await;
    table.join(next()).await;
    table.place(next(), Guest, &usual()).await.expect(200);
    table.place(next(), Host, &usual()).await.expect(200);
    let struck = table.fire(next(), Host, "J10").await;
    assert_eq!(struck.expect(200)["events"][0]["owed"], 1);
    table.reveal(next(), Host, "F7").await.expect(200);
    let mut sea = cells().filter(|cell| cell.ends_with('9'));
    for cell in cells_of(&usual().ships) {
        let aimed = sea.next().map_or_else(|| cell.clone(), str::to_owned);
        table.fire(next(), Guest, &aimed).await.expect(200);
        table.fire(next(), Host, &cell).await.expect(200);
    }
    table
}

#[tokio::test]
async fn a_hundred_who_look_while_shots_are_fired_see_states_that_the_log_had() {
    let servers = TwoServers::open().await;
    let table = Table::in_battle(&servers.one).await;
    let eyes = [None, Some(Host), Some(Guest)];
    for (round, cell) in cells().take(6).enumerate() {
        let seat = if round % 2 == 0 { Host } else { Guest };
        let before = table.log(&servers.two).await.len();
        let looks = (0..100).map(|index| {
            let eyes = eyes[index % 3].map(|seat| table.token(seat));
            get(servers.server(index), &table.path(""), eyes)
        });
        let mut all: Vec<Written> = looks.collect();
        all.insert(50, fire(servers.server(round), &table, seat, cell));

        let replies = at_once(&all).await;

        let log = table.log(&servers.one).await;
        assert_eq!(log.len(), before + 1);
        for (index, seen) in replies.iter().enumerate().filter(|(index, _)| *index != 50) {
            let game = seen.expect(200);
            let version = usize::try_from(game["version"].as_u64().unwrap()).unwrap();
            assert!(version == before || version == before + 1, "{} sees {}", index, seen.text);
            let event = &log[version - 1];
            for member in ["head", "status", "awaiting"] {
                assert_eq!(game[member], event[member], "{}", seen.text);
            }
            let shots = |seat: Seat| game["boards"][seat.name()]["shots"].as_array().unwrap().len();
            assert_eq!(shots(Host) + shots(Guest), version - 4, "{}", seen.text);
        }
    }
    servers.check(&table).await;
}
