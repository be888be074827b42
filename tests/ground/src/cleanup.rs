//! Nothing that a test binary started outlives it, however it ends: a shell waits for the end of
//! its standard input, which comes when this process is gone, and then tidies up.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock};

/// Reads one duty a line, and does them in reverse order once nobody writes any more.
const SCRIPT: &str = r#"
trap '' INT TERM HUP
duties=
while IFS= read -r duty; do duties="$duty
$duties"; done
printf '%s' "$duties" | while IFS=' ' read -r kind what; do
    case $kind in
        kill) kill -KILL "$what" 2>/dev/null ;;
        quit) kill -QUIT "$what" 2>/dev/null; kill -CONT "$what" 2>/dev/null; for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$what" 2>/dev/null || break; sleep 0.1; done ;;
        remove) rm -rf "$what" ;;
    esac
done
"#;

fn cleaner() -> &'static Mutex<Child> {
    static CLEANER: OnceLock<Mutex<Child>> = OnceLock::new();
    CLEANER.get_or_init(|| {
        let cleaner = Command::new("sh")
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Mutex::new(cleaner.expect("a shell starts"))
    })
}

fn on_end(duty: &str) {
    let mut cleaner = cleaner().lock().expect("no test broke the cleaner");
    let stdin = cleaner.stdin.as_mut().expect("the cleaner listens");
    writeln!(stdin, "{duty}").expect("the cleaner listens");
}

/// Has a process killed at the end.
pub fn kill(id: u32) {
    on_end(&format!("kill {id}"));
}

/// Has a postmaster stopped at once at the end.
pub fn quit(id: u32) {
    on_end(&format!("quit {id}"));
}

/// Has a folder removed at the end.
pub fn remove(folder: &std::path::Path) {
    on_end(&format!("remove {}", folder.display()));
}
