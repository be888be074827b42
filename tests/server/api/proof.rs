//! The chain and the commitments, made anew from the contract's page alone.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use testing::model::{Cell, cell};

/// Thirty-two bytes of SHA-256.
type Hash = [u8; 32];

/// The head before the first event.
pub(crate) const NO_HEAD: Hash = [0; 32];

/// The head after an event: over the head before and the event without its derived fields.
pub(crate) fn head(before: Hash, event: &Value) -> Hash {
    let mut body = event.clone();
    for derived in ["status", "awaiting", "head"] {
        body.as_object_mut().unwrap().remove(derived).unwrap();
    }
    hash(&[&before, canonical(&body).as_bytes()])
}

/// The commitment to a board that lies open, by its salt in hex.
pub(crate) fn commitment(game: &Value, seat: &str) -> String {
    let board = &game["boards"][seat];
    let options = &game["options"];
    let salt = hex::decode(board["salt"].as_str().unwrap()).unwrap();
    let root = root(u8::try_from(options["grid"].as_u64().unwrap()).unwrap(), board, &salt);
    let committed = json!({ "game": game["id"], "options": options, "root": hex::encode(root), "seat": seat });
    hex::encode(hash(&[canonical(&committed).as_bytes()]))
}

/// The root of the tree over all cells of a board.
fn root(grid: u8, board: &Value, salt: &[u8]) -> Hash {
    let ships: Vec<Cell> = board["ships"].as_array().unwrap().iter().flat_map(ship_cells).collect();
    let mines: Vec<Cell> = board["mines"].as_array().unwrap().iter().map(|mine| cell(mine.as_str().unwrap())).collect();
    let mut level: Vec<Hash> = Vec::new();
    for row in 0..grid {
        for column in 0..grid {
            let index = row * grid + column;
            let is_ship = ships.contains(&(row, column));
            let is_mine = mines.contains(&(row, column));
            let content = u8::from(is_ship) + 2 * u8::from(is_mine);
            let cell_salt = hmac(salt, &[b"naval-battle/cell/1", &[index]]);
            level.push(hash(&[&[0, index, content], &cell_salt]));
        }
    }
    while !level.len().is_power_of_two() {
        level.push([0; 32]);
    }
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| hash(&[&[1], &pair[0], &pair[1]])).collect();
    }
    level[0]
}

/// Whether a proof proves what an event answered, by the page alone: about a board of this game with this commitment.
pub(crate) fn is_proven(game: &Value, commitment: &str, event: &Value, proof: &Value) -> bool {
    let grid = u8::try_from(game["options"]["grid"].as_u64().unwrap()).unwrap();
    let bytes = |hex: &Value| -> Option<Hash> {
        let text = hex.as_str()?;
        let is_lower = text.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit));
        hex::decode(text).ok().filter(|_| is_lower)?.try_into().ok()
    };
    let shots = event["shots"].as_array().into_iter().flatten().map(|shot| {
        let content = if shot["outcome"] == "miss" { 0 } else { 1 + u8::from(shot["outcome"] == "mine") };
        (shot["cell"].as_str().unwrap(), content)
    });
    let given = event["cells"].as_array().into_iter().flatten().map(|cell| (cell.as_str().unwrap(), 1));
    let answers: Vec<(&str, u8)> = shots.chain(given).collect();
    let (by, of) = (&event["seat"], &proof["seat"]);
    let is_about = proof["seq"] == event["seq"] && (event["type"] == "fired") == (by != of);
    let Some(cells) = proof["cells"].as_array() else { return false };
    let lead = cells.iter().zip(&answers).all(|(proven, (name, content))| {
        let word = ["water", "ship", "mine"][usize::from(*content)];
        let ((row, column), path) = (cell(name), proven["path"].as_array());
        let (Some(salt), Some(path)) = (bytes(&proven["salt"]), path) else { return false };
        let (mut place, index) = (usize::from(row * grid + column), row * grid + column);
        let mut node = hash(&[&[0, index, *content], &salt]);
        for beside in path {
            let Some(beside) = bytes(beside) else { return false };
            let [left, right] = if place % 2 == 0 { [node, beside] } else { [beside, node] };
            (node, place) = (hash(&[&[1], &left, &right]), place / 2);
        }
        let is_as_high = 1 << path.len() == (usize::from(grid) * usize::from(grid)).next_power_of_two();
        proven["cell"] == *name && proven["content"] == word && is_as_high && Some(node) == bytes(&proof["root"])
    });
    let committed = json!({ "game": game["id"], "options": game["options"], "root": proof["root"], "seat": of });
    is_about
        && cells.len() == answers.len()
        && lead
        && hex::encode(hash(&[canonical(&committed).as_bytes()])) == commitment
}

fn ship_cells(ship: &Value) -> Vec<Cell> {
    let (row, column) = cell(ship["start"].as_str().unwrap());
    let length = u8::try_from(ship["length"].as_u64().unwrap()).unwrap();
    (0..length)
        .map(|step| if ship["direction"] == "down" { (row + step, column) } else { (row, column + step) })
        .collect()
}

/// HMAC (RFC 2104) with a key no longer than a block.
fn hmac(key: &[u8], message: &[&[u8]]) -> Hash {
    let mut block = [0; 64];
    block[..key.len()].copy_from_slice(key);
    let inner = hash(&[&[&block.map(|byte| byte ^ 0x36)[..]], message].concat());
    hash(&[&block.map(|byte| byte ^ 0x5c), &inner])
}

fn hash(parts: &[&[u8]]) -> Hash {
    Sha256::digest(parts.concat()).into()
}

/// The bytes of RFC 8785.
fn canonical(value: &Value) -> String {
    serde_json_canonicalizer::to_string(value).unwrap()
}

#[test]
fn c_the_published_vector_comes_out() {
    let game = json!({
        "id": "01890a5d-ac96-774b-bcce-b302099a8057",
        "options": {
            "grid": 10, "fleet": "classic", "mines": true, "salvo": false, "shoot_again": false, "first": "random",
            "turn_seconds": null,
        },
        "boards": { "host": {
            "ships": [
                { "start": "A1", "length": 5, "direction": "across" },
                { "start": "A3", "length": 4, "direction": "across" },
                { "start": "A5", "length": 3, "direction": "across" },
                { "start": "A7", "length": 3, "direction": "across" },
                { "start": "A9", "length": 2, "direction": "down" },
            ],
            "mines": ["J10"],
            "salt": "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        } },
    });

    let commitment = commitment(&game, "host");

    assert_eq!(commitment, "a87a62084c7d72263c862e1f238646c119a70f05c6f2aab1015da4cf24387be4");
}
