/**
 * What every part of the page needs. Each part that comes later imports this as a whole, so that it lies in one file
 * of the build, and not in a file for each set of parts that share something.
 */
import "./app.js";
import "./board/grid.js";
import "./board/view.js";
import "./board/words.js";
import "./client.js";
import "./fleet/geometry.js";
import "./h.js";
import "./notice/alert.js";
import "./notice/happened.js";
import "./notice/live.js";
import "./notice/sound.js";
import "./notice/tell.js";
import "./play/enter.js";
import "./play/open.js";
import "./play/refusals.js";
import "./route.js";
import "./screens/afloat.js";
import "./screens/dialogs.js";
import "./screens/moves.js";
import "./screens/screen.js";
import "./screens/share.js";
import "./screens/words.js";
import "./seats.js";
import "./shapes.js";
import "./state.js";
import "./store.js";
import "./text/index.js";
import "./text/plural.js";
