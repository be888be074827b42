# Italiano. Ai giocatori si dà del tu.

## What each code is called.

title-malformed = Richiesta malformata
title-unauthorized = Non autorizzato
title-game-not-found = Partita non trovata
title-route-not-found = Percorso non trovato
title-method-not-allowed = Metodo non consentito
title-request-timeout = Tempo della richiesta scaduto
title-body-too-large = Corpo troppo grande
title-unsupported-media-type = Tipo di contenuto non supportato
title-game-full = Partita al completo
title-own-game = La tua stessa partita
title-already-placed = Già piazzato
title-not-joined = Nessuno si è ancora unito
title-not-in-battle = Battaglia non in corso
title-not-your-turn = Non è il tuo turno
title-reveal-due = Devi prima rivelare
title-no-reveal-due = Niente da rivelare
title-already-fired = Qui si è già sparato
title-game-over = Partita conclusa
title-not-over = Partita ancora in corso
title-nothing-to-prove = Niente da provare
title-nothing-to-analyse = Niente da analizzare
title-in-flight = Richiesta già in corso
title-stale-version = Versione superata
title-illegal-layout = Disposizione non valida
title-wrong-shot-count = Numero di colpi errato
title-wrong-reveal-count = Numero di caselle errato
title-repeated-cell = Casella ripetuta
title-outside-grid = Fuori dalla griglia
title-not-revealable = Casella non rivelabile
title-idempotency-mismatch = Chiave già usata per altro
title-rate-limited = Troppe richieste
title-internal = Errore interno
title-record-damaged = La registrazione della partita è danneggiata
title-unavailable = Non disponibile

## What each code means and what to do about it.

meaning-malformed = Il JSON, un campo, un tipo, la grafia di una casella, la query o un'intestazione non sono quelli che l'operazione accetta. `detail` dice dove.
meaning-unauthorized = L'operazione richiede il token di un posto in questa partita, come `Authorization: Bearer …`. Il token di un'altra partita non la apre.
meaning-game-not-found = Non c'è nessuna partita con questo id. Un id ha una sola grafia: minuscole con i trattini.
meaning-route-not-found = A questo percorso non c'è nulla. Il documento in /openapi.json elenca quello che c'è.
meaning-method-not-allowed = Il percorso esiste ma non accetta questo metodo. `Allow` elenca quelli che accetta.
meaning-request-timeout = Il corpo promesso dalle intestazioni non è arrivato entro 10 secondi. Invia di nuovo la richiesta.
meaning-body-too-large = Un corpo può avere 16 KiB. Nessuna richiesta valida è più grande.
meaning-unsupported-media-type = Un corpo è JSON, arriva con `Content-Type: application/json` e senza `Content-Encoding`.
meaning-game-full = Entrambi i posti sono occupati. Senza token puoi guardare.
meaning-own-game = Hai già un posto in questa partita. Manda il link a qualcun altro.
meaning-already-placed = Una disposizione accettata è definitiva.
meaning-not-joined = Nessuno ha mai preso il secondo posto, quindi non c'è nessuno con cui rigiocare.
meaning-not-in-battle = Si spara quando entrambi hanno piazzato. `awaiting` dice chi deve che cosa.
meaning-not-your-turn = Tocca all'altro giocatore. `awaiting` dice che cosa si aspetta.
meaning-reveal-due = Hai colpito una mina e devi delle caselle delle tue navi. `revealable` elenca quelle che puoi dare.
meaning-no-reveal-due = Tocca a te sparare e non devi nessuna casella.
meaning-already-fired = Non si spara due volte alla stessa casella. `cells` elenca quelle a cui si è già sparato.
meaning-game-over = La partita è conclusa. `result` nella partita dice come.
meaning-not-over = Questo si mostra a partita terminata, e mai dopo un'interruzione.
meaning-nothing-to-prove = Le prove riguardano i colpi e le caselle rivelate: gli eventi di tipo fired o revealed.
meaning-nothing-to-analyse = L'analisi riguarda i colpi: gli eventi di tipo fired.
meaning-in-flight = È in corso un'altra richiesta per questa partita. Guarda la partita, poi decidi.
meaning-stale-version = La partita è andata avanti rispetto alla versione in `If-Match`. `version` è quella attuale.
meaning-illegal-layout = Le navi e le mine violano le regole. `faults` elenca ogni errore con la nave o la mina a cui si riferisce. Non è stato piazzato nulla.
meaning-wrong-shot-count = Un turno ha un colpo, con la salva uno per ogni tua nave a galla. `expected` dice quanti.
meaning-wrong-reveal-count = Tutte le caselle dovute si danno in una sola richiesta. `expected` dice quante.
meaning-repeated-cell = Una casella può comparire una sola volta in una richiesta. `cells` elenca quelle doppie.
meaning-outside-grid = La griglia di questa partita finisce prima di queste `cells`.
meaning-not-revealable = Puoi rivelare solo una casella delle tue navi non ancora colpita né rivelata. `revealable` nella partita le elenca.
meaning-idempotency-mismatch = Questa chiave è già stata inviata con un altro percorso o corpo. Una chiave appartiene a una sola richiesta: scegline una nuova.
meaning-rate-limited = Chiedi troppo in una volta. Aspetta i secondi indicati da `Retry-After`.
meaning-internal = C'è qualcosa che non va nel server, non nella tua richiesta.
meaning-record-damaged = Ciò che è conservato di questa partita si contraddice o non si può leggere. La sua verifica dice dove; chi gestisce il server può ripararlo.
meaning-unavailable = In questo momento il server non può rispondere. Guarda la partita e riprova dopo i secondi indicati da `Retry-After`.

## The game and its rules say no.

no-such-game = non c'è nessuna partita con questo id
no-such-games = una di queste partite non c'è: `games` elenca quali
needs-token = serve un token di questa partita, come `Authorization: Bearer …`
moved-on = la partita è andata avanti: la sua versione è { $version }
shown-at-the-end = questo si mostra a partita terminata
event-answers-nothing = nessun evento con questo numero risponde a un colpo o rivela caselle
event-is-no-shot = nessun evento con questo numero è un colpo
another-is-carried-out = è in corso un'altra richiesta per questa partita: guarda la partita e riprova
key-sent-before = questa Idempotency-Key è già stata inviata con un altro percorso o corpo
seats-taken = entrambi i posti di questa partita sono occupati
seat-is-yours = hai già un posto in questa partita
layout-is-final = le tue navi e mine sono piazzate, e una disposizione è definitiva
seat-is-free = nessuno ha mai preso il secondo posto di questa partita
battle-has-not-begun = la battaglia comincia quando entrambi hanno piazzato le navi
others-turn = è il turno dell'altro giocatore
cells-owed = { $expected ->
    [one] hai colpito una mina: rivela { $expected } casella delle tue navi prima che qualcuno spari di nuovo
   *[other] hai colpito delle mine: rivela { $expected } caselle delle tue navi prima che qualcuno spari di nuovo
}
nothing-owed = non devi nessuna casella: tocca a te sparare
game-has-ended = questa partita è conclusa
shots-due = { $expected ->
    [one] questo turno ha esattamente { $expected } colpo
   *[other] questo turno ha esattamente { $expected } colpi
}, e { $sent ->
    [one] ne è stato inviato { $sent }
   *[other] ne sono stati inviati { $sent }
}
cells-due = { $expected ->
    [one] è dovuta esattamente { $expected } casella
   *[other] sono dovute esattamente { $expected } caselle
}, e { $sent ->
    [one] ne è stata inviata { $sent }
   *[other] ne sono state inviate { $sent }
}
cell-stands-twice = una casella può comparire una sola volta in una richiesta
beyond-the-grid = la griglia di questa partita finisce prima
fired-at-before = non si spara due volte alla stessa casella
cannot-be-given-away = puoi rivelare solo una casella delle tue navi non ancora colpita né rivelata
layout-has-faults = { $count ->
    [one] la disposizione viola le regole in { $count } punto
   *[other] la disposizione viola le regole in { $count } punti
}
layout-has-more-faults = la disposizione viola le regole in almeno { $count } punti

## What is wrong with a layout. Ships go by where they lie and their lengths, mines by where they lie.

ship-outside = la nave da { $length } in { $at } esce dalla griglia
mine-outside = la mina in { $mine } è fuori dalla griglia
ship-surplus = la nave da { $length } in { $at }: la flotta non ha altre navi di questa lunghezza
ship-missing = manca una nave di lunghezza { $length }
ships-overlap = la nave da { $length } in { $at } sta sopra la nave da { $other_length } in { $other_at }
ships-touch = la nave da { $length } in { $at } tocca la nave da { $other_length } in { $other_at }
mine-on-ship = la mina in { $mine } sta sopra la nave da { $length } in { $at }
mine-touches-ship = la mina in { $mine } tocca la nave da { $length } in { $at }
mines-touch = la mina in { $mine } tocca la mina in { $other_mine }
mines-due = { $expected ->
    [one] serve esattamente { $expected } mina
   *[other] servono esattamente { $expected } mine
}
no-room-for-mines = le navi non lasciano nessuna casella per una mina

## How a body is read.

not-json = il corpo non è JSON: riga { $line }, colonna { $column }
json-ends-early = il corpo non è JSON: finisce troppo presto, alla riga { $line }, colonna { $column }
key-twice = una chiave compare due volte in un oggetto, quello che finisce alla riga { $line }, colonna { $column }
number-too-large = un numero è troppo grande: riga { $line }, colonna { $column }
unknown-field = questo campo qui non è noto: i campi sono { $known }
no-fields = qui non è noto nessun campo
missing-field = manca il campo { $field }
one-of-words = è attesa una di queste parole: { $words }
null-alone = qui si accetta solo null
is-object = è atteso un oggetto
is-list = è atteso un elenco
is-text = è atteso un testo
is-whole-number = è atteso un numero intero
is-true-or-false = è atteso true o false
number-out-of-range = il numero è fuori dai suoi limiti
something-else-expected = qui è atteso qualcos'altro
is-cell = una casella è una colonna da A a O e una riga da 1 a 15, come B7, in maiuscolo e senza spazi né zeri iniziali
is-grid = una griglia è 8, 10, 12 o 15
is-name = un nome ha da 1 a { $most } caratteri, nessuno dei quali di controllo
is-between = un numero da { $min } a { $max }
is-null-or-between = null, o un numero da { $min } a { $max }
list-too-long = al massimo { $most ->
    [one] { $most } voce
   *[other] { $most } voci
}
list-has = qui va una lista da { $min } a { $max } elementi
body-broke-off = il corpo si è interrotto
body-is-late = il corpo promesso non è arrivato entro { $seconds ->
    [one] { $seconds } secondo
   *[other] { $seconds } secondi
}
body-has-limit = un corpo può avere { $limit } byte
body-without-encoding = un corpo arriva senza Content-Encoding
body-is-json = un corpo arriva con Content-Type: application/json
body-needs-type = un corpo richiede un Content-Type: application/json

## How query and headers are read.

parameter-twice = il parametro { $name } della query compare due volte
no-parameters = questa operazione non ha parametri della query
unknown-parameter = i parametri della query sono { $known }
whole-number-between = { $name } è un numero intero da { $min } a { $max }
parameter-words = { $name } è uno tra { $words }
parameter-is = { $name } è { $word }
games-are-listed = { $name } nomina da 1 a { $most } partite, ognuna una volta, separate da virgole
is-positions = { $name } ha un numero per ognuna delle { $count } partite, nel loro ordine, uniti da punti
after-is-next = after è il next di una pagina
header-twice = { $name } compare due volte
header-is-no-text = { $name } non è un testo
key-form = una Idempotency-Key ha da 1 a { $most } caratteri ASCII visibili
key-is-secret = qui la Idempotency-Key è segreta come un token: è casuale e ha almeno { $least ->
    [one] { $least } carattere
   *[other] { $least } caratteri
}
is-entity-tags = { $name } è * o un elenco di entity tag, come "9-host"

## What the server says.

nothing-here = a questo percorso non c'è nulla; vedi /docs/
no-such-file = Swagger UI non ha nessun file con questo nome
no-such-problem = non c'è nessun problema con questo nome
path-takes = questo percorso accetta { $methods }
budget-spent = per ora il tuo indirizzo ha esaurito le sue richieste: riprova tra { $seconds ->
    [one] { $seconds } secondo
   *[other] { $seconds } secondi
}
address-asks-enough = il tuo indirizzo ha già in corso tutte le richieste che può avere
address-follows-enough = il tuo indirizzo segue già tutti i registri che può seguire
address-lists-enough = il tuo indirizzo ha { $most } partite in elenco a cui nessuno si è unito: se ne può aggiungere una quando qualcuno si unisce a una di esse o questa finisce
game-followed-enough = il registro di questa partita è già seguito da tutti quelli che possono seguirlo
server-is-broken = c'è qualcosa che non va nel server, non nella tua richiesta
record-is-damaged = ciò che è conservato di questa partita si contraddice; la sua verifica dice dove
server-is-busy = in questo momento il server non può rispondere
database-is-away = il database non risponde, o non ha le tabelle di questa versione

## What is wrong with a log.

flaw-no-object = un evento è un oggetto
flaw-not-canonical = l'evento non ha una forma canonica
flaw-unreadable = questo non è un evento nella forma della versione 1
flaw-other-form = l'evento contiene più di quanto scrive la versione 1, o lo scrive in altro modo
flaw-seq = seq è { $seq }, il suo posto è { $place }
flaw-head = head non è l'hash dell'head precedente e di questo evento
flaw-kept-head = nessun evento del registro ha l'head conservato
flaw-created-twice = una partita si crea una volta sola
flaw-other-game = il registro è quello di un'altra partita
flaw-beginning = un registro comincia con la creazione della partita
flaw-first = a sparare per primo non è chi dicono le opzioni
flaw-time = è arrivato alle { $at }, la scadenza era { $due }
flaw-layout = la disposizione { $seat ->
    [host] di chi ha creato la partita
   *[guest] di chi si è unito
} viola le regole
flaw-commitment = la disposizione e il sale { $seat ->
    [host] di chi ha creato la partita
   *[guest] di chi si è unito
} non sono quelli per cui si era impegnato
flaw-derived = { $field } non segue dal registro
flaw-view = { $field } della partita non è quello che dice il registro
flaw-phase = un evento simile non può accadere in questa fase della partita
flaw-seat = tocca all'altro giocatore
flaw-count = il numero di caselle non è quello dovuto
flaw-cell = una casella non si può usare a questo punto
flaw-answer = una risposta non è quello che dicono le griglie
flaw-row = { $column } in { $table } non è ciò che dice il registro, o non si può leggere
flaw-row-missing = in { $table } manca una riga
flaw-row-surplus = { $table } ha una riga di troppo
flaw-proof-of-nothing = una prova non riguarda alcun evento che parli di una griglia
flaw-proof-seat = la prova riguarda l'altra griglia
flaw-proof-cells = la prova riguarda caselle diverse da quelle dell'evento
flaw-proof-content = la prova dice di { $cell } una cosa diversa dall'evento
flaw-proof-astray = { $cell } non porta alla radice della prova
flaw-proof-root = la radice della prova non è quella su cui ci si è impegnati

## The words of the game.

columns = A B C D E F G H I J K L M N O
answer-miss = acqua
answer-hit = colpito
answer-sunk = affondato
answer-mine = mina
status-waiting = in attesa di un avversario
status-placing = si piazzano le flotte
status-battle = battaglia
status-finished = terminata
status-aborted = conclusa senza vincitore
action-join = prendere il posto libero
action-place = piazzare navi e mine
action-fire = sparare
action-reveal = rivelare caselle delle proprie navi
reason-fleet-sunk = l'intera flotta è affondata
reason-resigned = resa
reason-timed-out = tempo scaduto
reason-aborted = interrotta prima della battaglia
reason-expired = nessuno si è unito in tempo, o per troppo tempo non è successo nulla
level-easy = facile
level-medium = medio
level-hard = difficile

## The options, each with its name and what it does.

option-grid = Griglia
option-grid-text = Quante colonne ha la griglia di ciascuno, e altrettante righe.
option-fleet = Flotta
option-fleet-text = Quali navi ha ciascuno, le stesse su ogni griglia.
option-mines = Mine
option-mines-text = Ciascuno nasconde delle mine vicino alla propria flotta: una sull'8×8 e sul 10×10, due sul 12×12, tre sul 15×15.
option-salvo = Salva
option-salvo-text = Un turno è una salva con un colpo per ogni tua nave a galla.
option-shoot-again = Sparo extra se colpisci
option-shoot-again-text = Un colpo a segno o un affondamento vale un altro colpo, nella salva uno ciascuno. Una mina non lo vale mai.
option-first = Primo colpo
option-first-text = Chi spara per primo.
option-turn-seconds = Tempo per il turno
option-turn-seconds-text = Il tempo per piazzare, per sparare e per rivelare, ogni volta: da { $seconds ->
    [one] { $seconds } secondo
   *[other] { $seconds } secondi
} a { $days ->
    [one] { $days } giorno
   *[other] { $days } giorni
}, o nessun limite. Chi lo lascia scadere in battaglia ha perso. Il tempo perso per un'interruzione viene restituito.
fleet-classic = Classica
fleet-russian = Russa
first-host = chi crea la partita
first-guest = chi si unisce
first-random = decide la sorte

## The standard game.

standard = Ogni giocatore nasconde una flotta sulla propria griglia, e nessuna nave ne tocca un'altra, nemmeno a un angolo. Poi i giocatori sparano a turno a una casella della griglia altrui. A ogni colpo si risponde: acqua è un colpo a vuoto, un colpo a segno ha trovato una nave, e una nave colpita in ogni casella è affondata e si mostra per intero. Nessuno spara due volte alla stessa casella. Dopo ogni colpo tocca all'altro, a meno che le opzioni non dicano altro. Chi affonda per primo tutta la flotta nemica ha vinto subito.

## The Mines variant.

what-1 = Oltre alle navi, ciascuno nasconde delle mine: una sull'8×8 e sul 10×10, due sul 12×12, tre sul 15×15. Una mina sta in una sola casella e si tiene lontana da ogni nave e da ogni altra mina, anche d'angolo.
what-2 = Nessuno vede una mina nemica prima di colpirla. Chi ne colpisce una si sente rispondere "mina" e deve rivelare una casella delle proprie navi: una non ancora colpita né rivelata, e quale lo sceglie lui. Il proprietario della mina trova quella casella segnata sulla sua griglia bersaglio e può spararle in qualsiasi turno successivo, o mai. Una mina non è un successo: il turno va al suo proprietario, anche dove un colpo a segno varrebbe uno sparo extra.
what-3 = Una mina non è una nave. Nessuno è tenuto a trovarla, e affondare l'ultima nave della flotta chiude la partita come sempre.
setup-rule = Preparazione
setup-standard = Entrambi piazzano le loro navi e nient'altro.
setup-mines = Con le navi si piazzano le mine: una sull'8×8 e sul 10×10, due sul 12×12, tre sul 15×15.
place-rule = Dove può stare una mina
place-standard = Non ci sono mine.
place-mines = In qualsiasi casella libera che non tocchi né una nave né un'altra mina, nemmeno d'angolo.
strike-rule = Sparare a una mina
strike-standard = Non ci sono mine: un colpo finisce in acqua, colpisce o affonda.
strike-mines = Chi ha sparato rivela una casella non colpita delle proprie navi, e il proprietario della mina può spararle. Una salva costa una casella per ogni mina colpita.
turn-rule = Il turno dopo una mina
turn-standard = Non ci sono mine.
turn-mines = È del proprietario della mina, anche dove un colpo a segno vale uno sparo extra.
end-rule = Fine della partita
end-standard = Ha vinto chi affonda per primo l'intera flotta nemica.
end-mines = Lo stesso. Le mine non sono navi e non serve trovarle.
other-rule = Altre opzioni
other-standard = Una griglia 10×10, la flotta classica, un colpo per turno.
other-mines = Ogni griglia, l'una e l'altra flotta, la salva e lo sparo extra se colpisci: le mine vanno bene con tutto.
history-1 = Le mine vengono dal Morskoj boj, la battaglia navale che in Russia e in altri paesi dell'ex Unione Sovietica si gioca sui fogli di quaderno. Le descrizioni russe del gioco aggiungono al solito campo 10×10 e alla flotta una o più mine: un cerchio in una sola casella, che non può toccare una nave o un'altra mina. Chi la colpisce dice al proprietario una casella ancora intatta delle proprie navi, a cui quello può sparare quando vuole; e siccome una mina non è un successo, il turno è del proprietario.
history-2 = Le stesse descrizioni ammettono fino a tre mine a testa sui campi più grandi, e i dragamine, che qui non si usano. Qui il numero segue la griglia: una sull'8×8 e sul 10×10, due sul 12×12, tre sul 15×15.
