# Deutsch. Die Spieler werden mit Sie angeredet.

## What each code is called.

title-malformed = Fehlerhafte Anfrage
title-unauthorized = Nicht berechtigt
title-game-not-found = Spiel nicht gefunden
title-route-not-found = Pfad nicht gefunden
title-method-not-allowed = Methode nicht erlaubt
title-request-timeout = Zeit für die Anfrage abgelaufen
title-body-too-large = Body zu groß
title-unsupported-media-type = Medientyp nicht unterstützt
title-game-full = Spiel ist voll
title-own-game = Eigenes Spiel
title-already-placed = Bereits platziert
title-not-joined = Noch niemand beigetreten
title-not-in-battle = Nicht im Gefecht
title-not-your-turn = Nicht Ihr Zug
title-reveal-due = Erst Felder preisgeben
title-no-reveal-due = Kein Feld geschuldet
title-already-fired = Bereits beschossen
title-game-over = Spiel ist beendet
title-not-over = Spiel läuft noch
title-nothing-to-prove = Nichts zu beweisen
title-nothing-to-analyse = Nichts auszuwerten
title-in-flight = Wird gerade ausgeführt
title-stale-version = Veralteter Stand
title-illegal-layout = Unerlaubte Aufstellung
title-wrong-shot-count = Falsche Zahl von Schüssen
title-wrong-reveal-count = Falsche Zahl von Feldern
title-repeated-cell = Feld doppelt genannt
title-outside-grid = Außerhalb des Rasters
title-not-revealable = Kann nicht preisgegeben werden
title-idempotency-mismatch = Schlüssel schon anders verwendet
title-rate-limited = Zu viele Anfragen
title-internal = Interner Fehler
title-record-damaged = Die Aufzeichnung der Partie ist beschädigt
title-unavailable = Nicht verfügbar

## What each code means and what to do about it.

meaning-malformed = Das JSON, eine Eigenschaft oder ihr Typ, die Schreibweise eines Feldes, die Query oder ein Header ist nicht das, was die Operation nimmt. `detail` sagt, an welcher Stelle.
meaning-unauthorized = Die Operation braucht das Token eines Platzes in diesem Spiel, als `Authorization: Bearer …`. Das Token eines anderen Spiels öffnet es nicht.
meaning-game-not-found = Es gibt kein Spiel mit dieser Id. Eine Id hat eine einzige Schreibweise: Kleinbuchstaben mit Bindestrichen.
meaning-route-not-found = Unter diesem Pfad gibt es nichts. Das Dokument unter /openapi.json zählt auf, was es gibt.
meaning-method-not-allowed = Den Pfad gibt es, diese Methode nimmt er nicht. `Allow` nennt die Methoden, die er nimmt.
meaning-request-timeout = Der Body, den die Header versprachen, kam nicht innerhalb von 10 Sekunden. Senden Sie die Anfrage noch einmal.
meaning-body-too-large = Ein Body darf 16 KiB haben. Keine erlaubte Anfrage ist größer.
meaning-unsupported-media-type = Ein Body ist JSON, kommt mit `Content-Type: application/json` und ohne `Content-Encoding`.
meaning-game-full = Beide Plätze sind besetzt. Ohne Token dürfen Sie zuschauen.
meaning-own-game = Sie haben in diesem Spiel schon einen Platz. Schicken Sie den Link jemand anderem.
meaning-already-placed = Eine angenommene Aufstellung ist endgültig.
meaning-not-joined = Den zweiten Platz hat nie jemand eingenommen, also gibt es niemanden für eine Revanche.
meaning-not-in-battle = Geschossen wird, sobald beide Seiten platziert haben. `awaiting` sagt, wer was schuldet.
meaning-not-your-turn = Die andere Seite ist am Zug. `awaiting` sagt, was ansteht.
meaning-reveal-due = Sie haben eine Mine getroffen und schulden Felder Ihrer eigenen Schiffe. `revealable` zählt auf, welche Sie geben können.
meaning-no-reveal-due = Sie sind mit Schießen am Zug und schulden kein Feld.
meaning-already-fired = Niemand schießt zweimal auf dasselbe Feld. `cells` zählt die schon beschossenen auf.
meaning-game-over = Das Spiel ist zu Ende. `result` im Spiel sagt, wie.
meaning-not-over = Das wird gezeigt, wenn das Spiel zu Ende gespielt ist, und nach einem Abbruch nie.
meaning-nothing-to-prove = Beweise gibt es zu Schüssen und zu preisgegebenen Feldern: zu Ereignissen der Art fired oder revealed.
meaning-nothing-to-analyse = Ausgewertet werden Schüsse: Ereignisse der Art fired.
meaning-in-flight = Eine andere Anfrage an dieses Spiel wird gerade ausgeführt. Sehen Sie sich das Spiel an und entscheiden Sie dann.
meaning-stale-version = Das Spiel ist seit der Version in `If-Match` weitergegangen. `version` ist die jetzige.
meaning-illegal-layout = Die Schiffe und Minen verletzen die Regeln. `faults` zählt jeden Fehler auf, mit dem Schiff oder der Mine, um die es geht. Nichts wurde platziert.
meaning-wrong-shot-count = Ein Zug hat einen Schuss, mit Salve einen für jedes Ihrer Schiffe, das noch schwimmt. `expected` sagt, wie viele.
meaning-wrong-reveal-count = Alle geschuldeten Felder werden in einer Anfrage gegeben. `expected` sagt, wie viele.
meaning-repeated-cell = Ein Feld darf in einer Anfrage nur einmal stehen. `cells` zählt die doppelten auf.
meaning-outside-grid = Das Raster dieses Spiels endet vor diesen `cells`.
meaning-not-revealable = Preisgeben lässt sich nur ein Feld der eigenen Schiffe, das weder getroffen noch schon preisgegeben ist. `revealable` im Spiel zählt sie auf.
meaning-idempotency-mismatch = Dieser Schlüssel kam schon mit einem anderen Pfad oder Body. Ein Schlüssel gehört zu einer einzigen Anfrage: Wählen Sie einen neuen.
meaning-rate-limited = Sie fragen zu viel auf einmal. Warten Sie so viele Sekunden, wie `Retry-After` sagt.
meaning-internal = Der Fehler liegt beim Server, nicht bei Ihrer Anfrage.
meaning-record-damaged = Was von dieser Partie gespeichert ist, widerspricht sich oder ist nicht lesbar. Ihre Prüfung sagt, wo; wer den Server betreibt, kann es beheben.
meaning-unavailable = Der Server kann im Augenblick nicht antworten. Sehen Sie sich das Spiel an und versuchen Sie es nach so vielen Sekunden noch einmal, wie `Retry-After` sagt.

## The game and its rules say no.

no-such-game = es gibt kein Spiel mit dieser Id
no-such-games = eines dieser Spiele gibt es nicht: `games` nennt sie
needs-token = dafür braucht es ein Token dieses Spiels, als `Authorization: Bearer …`
moved-on = das Spiel ist weitergegangen: Seine Version ist { $version }
shown-at-the-end = das wird gezeigt, wenn das Spiel zu Ende gespielt ist
event-answers-nothing = kein Ereignis mit dieser Nummer beantwortet einen Schuss oder gibt Felder preis
event-is-no-shot = kein Ereignis mit dieser Nummer ist ein Schuss
another-is-carried-out = eine andere Anfrage an dieses Spiel wird gerade ausgeführt: Sehen Sie sich das Spiel an und versuchen Sie es noch einmal
key-sent-before = dieser Idempotency-Key kam schon mit einem anderen Pfad oder Body
seats-taken = beide Plätze dieses Spiels sind besetzt
seat-is-yours = Sie haben in diesem Spiel schon einen Platz
layout-is-final = Ihre Schiffe und Minen sind platziert, und eine Aufstellung ist endgültig
seat-is-free = den zweiten Platz dieses Spiels hat nie jemand eingenommen
battle-has-not-begun = das Gefecht beginnt, sobald beide Seiten ihre Schiffe platziert haben
others-turn = die andere Seite ist am Zug
cells-owed = { $expected ->
    [one] Sie haben eine Mine getroffen: Geben Sie { $expected } Feld Ihrer Schiffe preis, bevor wieder jemand schießt
   *[other] Sie haben Minen getroffen: Geben Sie { $expected } Felder Ihrer Schiffe preis, bevor wieder jemand schießt
}
nothing-owed = Sie schulden kein Feld: Sie sind mit Schießen am Zug
game-has-ended = dieses Spiel ist zu Ende
shots-due = { $expected ->
    [one] dieser Zug hat genau { $expected } Schuss
   *[other] dieser Zug hat genau { $expected } Schüsse
}, gesendet { $sent ->
    [one] wurde { $sent }
   *[other] wurden { $sent }
}
cells-due = { $expected ->
    [one] genau { $expected } Feld ist geschuldet
   *[other] genau { $expected } Felder sind geschuldet
}, gesendet { $sent ->
    [one] wurde { $sent }
   *[other] wurden { $sent }
}
cell-stands-twice = ein Feld darf in einer Anfrage nur einmal stehen
beyond-the-grid = das Raster dieses Spiels endet vorher
fired-at-before = niemand schießt zweimal auf dasselbe Feld
cannot-be-given-away = preisgeben lässt sich nur ein Feld der eigenen Schiffe, das weder getroffen noch schon preisgegeben ist
layout-has-faults = { $count ->
    [one] die Aufstellung verletzt die Regeln an { $count } Stelle
   *[other] die Aufstellung verletzt die Regeln an { $count } Stellen
}
layout-has-more-faults = die Aufstellung verletzt die Regeln an mindestens { $count } Stellen

## What is wrong with a layout. Ships go by where they lie and their lengths, mines by where they lie.

ship-outside = das { $length }er-Schiff bei { $at } ragt über das Raster hinaus
mine-outside = die Mine bei { $mine } liegt außerhalb des Rasters
ship-surplus = das { $length }er-Schiff bei { $at }: Die Flotte hat kein weiteres Schiff dieser Länge
ship-missing = ein Schiff der Länge { $length } fehlt
ships-overlap = das { $length }er-Schiff bei { $at } liegt auf dem { $other_length }er-Schiff bei { $other_at }
ships-touch = das { $length }er-Schiff bei { $at } berührt das { $other_length }er-Schiff bei { $other_at }
mine-on-ship = die Mine bei { $mine } liegt auf dem { $length }er-Schiff bei { $at }
mine-touches-ship = die Mine bei { $mine } berührt das { $length }er-Schiff bei { $at }
mines-touch = die Mine bei { $mine } berührt die Mine bei { $other_mine }
mines-due = { $expected ->
    [one] es muss genau { $expected } Mine sein
   *[other] es müssen genau { $expected } Minen sein
}
no-room-for-mines = die Schiffe lassen kein Feld für eine Mine frei

## How a body is read.

not-json = der Body ist kein JSON: Zeile { $line }, Spalte { $column }
json-ends-early = der Body ist kein JSON: Er endet zu früh, in Zeile { $line }, Spalte { $column }
key-twice = in einem Objekt steht eine Eigenschaft zweimal: in dem, das in Zeile { $line }, Spalte { $column } endet
number-too-large = eine Zahl ist zu groß: Zeile { $line }, Spalte { $column }
unknown-field = diese Eigenschaft ist hier nicht bekannt; bekannt sind { $known }
no-fields = hier ist keine Eigenschaft bekannt
missing-field = die Eigenschaft { $field } fehlt
one-of-words = erwartet wird eines dieser Wörter: { $words }
null-alone = hier ist nur null möglich
is-object = erwartet wird ein Objekt
is-list = erwartet wird eine Liste
is-text = erwartet wird ein Text
is-whole-number = erwartet wird eine ganze Zahl
is-true-or-false = erwartet wird true oder false
number-out-of-range = die Zahl liegt außerhalb ihrer Grenzen
something-else-expected = hier wird etwas anderes erwartet
is-cell = ein Feld ist eine Spalte A bis O und eine Zeile 1 bis 15, etwa B7, groß geschrieben und ohne Leerzeichen oder führende Nullen
is-grid = ein Raster ist 8, 10, 12 oder 15
is-name = ein Name hat 1 bis { $most } Zeichen, darunter keine Steuerzeichen
is-between = eine Zahl von { $min } bis { $max }
is-null-or-between = null oder eine Zahl von { $min } bis { $max }
list-too-long = höchstens { $most ->
    [one] { $most } Eintrag
   *[other] { $most } Einträge
}
list-has = hier steht eine Liste von { $min } bis { $max }
body-broke-off = der Body brach ab
body-is-late = der versprochene Body kam nicht innerhalb von { $seconds ->
    [one] { $seconds } Sekunde
   *[other] { $seconds } Sekunden
}
body-has-limit = ein Body darf { $limit ->
    [one] { $limit } Byte
   *[other] { $limit } Bytes
} haben
body-without-encoding = ein Body kommt ohne Content-Encoding
body-is-json = ein Body kommt mit Content-Type: application/json
body-needs-type = ein Body braucht einen Content-Type: application/json

## How query and headers are read.

parameter-twice = der Query-Parameter { $name } steht zweimal da
no-parameters = diese Operation hat keine Query-Parameter
unknown-parameter = die Query-Parameter sind { $known }
whole-number-between = { $name } ist eine ganze Zahl von { $min } bis { $max }
parameter-words = { $name } ist eines von { $words }
parameter-is = { $name } ist { $word }
games-are-listed = { $name } nennt 1 bis { $most } Spiele, jedes einmal, durch Kommas getrennt
is-positions = { $name } hat für jedes der { $count } Spiele eine Zahl, in ihrer Reihenfolge, durch Punkte verbunden
after-is-next = after ist das next einer Seite
header-twice = { $name } steht zweimal da
header-is-no-text = { $name } ist kein Text
key-form = ein Idempotency-Key hat 1 bis { $most } sichtbare ASCII-Zeichen
key-is-secret = hier ist der Idempotency-Key so geheim wie ein Token: Er ist zufällig und hat mindestens { $least } Zeichen
is-entity-tags = { $name } ist * oder eine Liste von Entity-Tags, etwa "9-host"

## What the server says.

nothing-here = unter diesem Pfad gibt es nichts; siehe /docs/
no-such-file = Swagger UI hat keine Datei dieses Namens
no-such-problem = es gibt kein Problem dieses Namens
path-takes = dieser Pfad nimmt { $methods }
budget-spent = Ihre Adresse hat ihr Kontingent vorerst verbraucht: Versuchen Sie es in { $seconds ->
    [one] { $seconds } Sekunde
   *[other] { $seconds } Sekunden
} noch einmal
address-asks-enough = von Ihrer Adresse sind schon so viele Anfragen in Arbeit, wie sie darf
address-follows-enough = Ihre Adresse verfolgt schon so viele Spielverläufe, wie sie darf
address-lists-enough = Ihre Adresse hat { $most } Spiele in der Liste, denen niemand beigetreten ist: Ein neues kann hinein, sobald eines davon besetzt oder beendet ist
game-followed-enough = dieses Spiel wird schon von so vielen verfolgt, wie es werden darf
server-is-broken = der Fehler liegt beim Server, nicht bei Ihrer Anfrage
record-is-damaged = was von dieser Partie gespeichert ist, widerspricht sich; ihre Prüfung sagt, wo
server-is-busy = der Server kann im Augenblick nicht antworten
database-is-away = die Datenbank antwortet nicht oder hat nicht die Tabellen dieser Fassung

## What is wrong with a log.

flaw-no-object = ein Ereignis ist ein Objekt
flaw-not-canonical = das Ereignis hat keine kanonische Form
flaw-unreadable = das ist kein Ereignis in der Form der Version 1
flaw-other-form = das Ereignis enthält mehr, als Version 1 schreibt, oder es in anderer Form
flaw-seq = seq ist { $seq }, der Platz ist { $place }
flaw-head = head ist nicht der Hash über den head davor und dieses Ereignis
flaw-kept-head = kein Ereignis des Verlaufs hat den aufbewahrten head
flaw-created-twice = ein Spiel wird nur einmal angelegt
flaw-other-game = der Verlauf gehört zu einem anderen Spiel
flaw-beginning = ein Verlauf beginnt damit, dass das Spiel angelegt wird
flaw-first = zuerst schießt nicht, wer es nach den Optionen sollte
flaw-time = es kam um { $at }, die Frist war { $due }
flaw-layout = die Aufstellung { $seat ->
    [host] des Gastgebers
   *[guest] des Gastes
} verletzt die Regeln
flaw-commitment = Aufstellung und Salz { $seat ->
    [host] des Gastgebers
   *[guest] des Gastes
} sind nicht die, auf die er sich festgelegt hat
flaw-derived = { $field } folgt nicht aus dem Verlauf
flaw-view = { $field } des Spiels ist nicht, was der Verlauf sagt
flaw-phase = ein solches Ereignis kann in dieser Phase des Spiels nicht eintreten
flaw-seat = die andere Seite ist am Zug
flaw-count = es sind nicht so viele Felder, wie geschuldet waren
flaw-cell = ein Feld kann hier nicht verwendet werden
flaw-answer = eine Antwort ist nicht das, was die Bretter sagen
flaw-row = { $column } in { $table } ist nicht, was das Protokoll sagt, oder nicht lesbar
flaw-row-missing = in { $table } fehlt eine Zeile
flaw-row-surplus = { $table } hat eine Zeile zu viel
flaw-proof-of-nothing = ein Beweis gehört zu keinem Ereignis, das von einem Brett erzählt
flaw-proof-seat = der Beweis handelt vom anderen Brett
flaw-proof-cells = der Beweis handelt von anderen Feldern als das Ereignis
flaw-proof-content = der Beweis sagt über { $cell } etwas anderes als das Ereignis
flaw-proof-astray = { $cell } führt nicht zur Wurzel des Beweises
flaw-proof-root = auf die Wurzel des Beweises hat sich niemand festgelegt

## The words of the game.

columns = A B C D E F G H I J K L M N O
answer-miss = Wasser
answer-hit = Treffer
answer-sunk = versenkt
answer-mine = Mine
status-waiting = wartet auf einen Gegner
status-placing = die Flotten werden aufgestellt
status-battle = Gefecht
status-finished = zu Ende gespielt
status-aborted = ohne Sieger beendet
action-join = den freien Platz einnehmen
action-place = Schiffe und Minen platzieren
action-fire = schießen
action-reveal = Felder der eigenen Schiffe preisgeben
reason-fleet-sunk = die ganze Flotte ist versenkt
reason-resigned = aufgegeben
reason-timed-out = die Zeit ist abgelaufen
reason-aborted = vor dem Gefecht abgebrochen
reason-expired = niemand ist rechtzeitig beigetreten, oder zu lange ist nichts geschehen
level-easy = leicht
level-medium = mittel
level-hard = schwer

## The options, each with its name and what it does.

option-grid = Raster
option-grid-text = Wie viele Spalten das Raster jeder Seite hat, und ebenso viele Zeilen.
option-fleet = Flotte
option-fleet-text = Welche Schiffe jede Seite hat, auf jedem Raster dieselben.
option-mines = Minen
option-mines-text = Jede Seite versteckt neben ihrer Flotte Minen: eine auf 8×8 und 10×10, zwei auf 12×12, drei auf 15×15.
option-salvo = Salve
option-salvo-text = Ein Zug ist eine Salve mit einem Schuss für jedes Ihrer Schiffe, das noch schwimmt.
option-shoot-again = Erneut schießen nach Treffer
option-shoot-again-text = Ein Treffer oder eine Versenkung bringt einen weiteren Schuss; in der Salve zählt jeder Treffer einzeln. Eine Mine bringt nie einen.
option-first = Erster Schuss
option-first-text = Wer zuerst schießt.
option-turn-seconds = Bedenkzeit
option-turn-seconds-text = Die Zeit für jedes Platzieren, Schießen und Preisgeben: von { $seconds ->
    [one] { $seconds } Sekunde
   *[other] { $seconds } Sekunden
} bis zu { $days ->
    [one] { $days } Tag
   *[other] { $days } Tagen
}, oder keine. Wer sie im Gefecht ablaufen lässt, hat verloren. Zeit, die durch einen Ausfall verloren geht, wird gutgeschrieben.
fleet-classic = Klassisch
fleet-russian = Russisch
first-host = wer das Spiel anlegt
first-guest = wer beitritt
first-random = das Los entscheidet

## The standard game.

standard = Jede Seite versteckt eine Flotte auf einem eigenen Raster, und kein Schiff berührt ein anderes, auch nicht an einer Ecke. Dann schießen die Seiten abwechselnd auf ein Feld des anderen Rasters. Auf jeden Schuss folgt eine Antwort: Wasser ist ein Fehlschuss, ein Treffer hat ein Schiff gefunden, und ein Schiff, von dem jedes Feld getroffen ist, ist versenkt und wird ganz gezeigt. Niemand schießt zweimal auf dasselbe Feld. Nach jedem Schuss ist die andere Seite am Zug, wenn die Optionen nichts anderes sagen. Wer zuerst die ganze feindliche Flotte versenkt, hat sofort gewonnen.

## The Mines variant.

what-1 = Neben den Schiffen versteckt jede Seite auch Minen: eine auf 8×8 und 10×10, zwei auf 12×12, drei auf 15×15. Eine Mine liegt auf einem einzigen Feld und hält Abstand von jedem Schiff und jeder anderen Mine, auch über Eck.
what-2 = Niemand sieht eine gegnerische Mine, bevor er sie trifft. Wer auf eine schießt, hört „Mine“ und muss ein Feld seiner eigenen Schiffe preisgeben: eines, das weder getroffen noch schon preisgegeben ist; welches, darf er sich aussuchen. Der Besitzer der Mine findet dieses Feld auf seinem Zielraster markiert und darf in jedem späteren Zug darauf schießen, oder nie. Eine Mine ist kein Erfolg, der Zug geht also an ihren Besitzer, auch wo ein Treffer einen weiteren Schuss brächte.
what-3 = Eine Mine ist kein Schiff. Niemand muss sie finden, und wer das letzte Schiff der Flotte versenkt, beendet das Spiel wie immer.
setup-rule = Aufstellung
setup-standard = Beide Seiten platzieren ihre Schiffe und sonst nichts.
setup-mines = Zu den Schiffen kommen die Minen: eine auf 8×8 und 10×10, zwei auf 12×12, drei auf 15×15.
place-rule = Wo eine Mine liegen darf
place-standard = Es gibt keine Minen.
place-mines = Auf jedem freien Feld, das weder ein Schiff noch eine andere Mine berührt, auch nicht über Eck.
strike-rule = Schuss auf eine Mine
strike-standard = Es gibt keine Minen: Ein Schuss geht ins Wasser, trifft oder versenkt.
strike-mines = Der Schütze gibt ein ungetroffenes Feld seiner eigenen Schiffe preis, und der Besitzer der Mine darf darauf schießen. Eine Salve kostet ein Feld für jede Mine, die sie trifft.
turn-rule = Der Zug nach einer Mine
turn-standard = Es gibt keine Minen.
turn-mines = Ihn hat der Besitzer der Mine, auch wo ein Treffer einen weiteren Schuss bringt.
end-rule = Ende des Spiels
end-standard = Wer zuerst die ganze gegnerische Flotte versenkt, hat gewonnen.
end-mines = Genauso. Minen sind keine Schiffe, niemand muss sie finden.
other-rule = Weitere Optionen
other-standard = Ein Raster von 10×10, die klassische Flotte, ein Schuss je Zug.
other-mines = Jedes Raster, beide Flotten, Salve und erneutes Schießen nach Treffer: Minen passen zu allem.
history-1 = Minen stammen aus Morskoi boi, der Seeschlacht, die man in Russland und anderen Ländern der früheren Sowjetunion auf kariertem Heftpapier spielt. Russische Beschreibungen des Spiels fügen dem üblichen Feld von 10×10 und der Flotte eine oder mehrere Minen hinzu: einen Kreis in einem einzigen Feld, das kein Schiff und keine andere Mine berühren darf. Wer ihn trifft, nennt dem Besitzer ein noch unbeschädigtes Feld eines eigenen Schiffs, auf das dieser schießen darf, wann er will; und weil eine Mine kein Erfolg ist, hat der Besitzer den Zug.
history-2 = Dieselben Beschreibungen erlauben auf größeren Feldern bis zu drei Minen je Seite, dazu Minensucher, die hier nicht gespielt werden. Die Zahl der Minen folgt hier dem Raster: eine auf 8×8 und 10×10, zwei auf 12×12, drei auf 15×15.
