# Suomi. Pelaajia sinutellaan.

## What each code is called.

title-malformed = Virheellinen pyyntö
title-unauthorized = Ei oikeutta
title-game-not-found = Peliä ei löydy
title-route-not-found = Polkua ei löydy
title-method-not-allowed = Metodi ei ole sallittu
title-request-timeout = Pyynnön aika loppui
title-body-too-large = Runko on liian suuri
title-unsupported-media-type = Mediatyyppiä ei tueta
title-game-full = Peli on täynnä
title-own-game = Oma peli
title-already-placed = Jo sijoitettu
title-not-joined = Kukaan ei ole liittynyt
title-not-in-battle = Taistelu ei ole käynnissä
title-not-your-turn = Ei sinun vuorosi
title-reveal-due = Ruutu on paljastettava ensin
title-no-reveal-due = Ei paljastettavaa
title-already-fired = Ruutuun on jo ammuttu
title-game-over = Peli on päättynyt
title-not-over = Peli on kesken
title-nothing-to-prove = Ei todistettavaa
title-nothing-to-analyse = Ei analysoitavaa
title-in-flight = Pyyntö on jo käsiteltävänä
title-stale-version = Vanhentunut versio
title-illegal-layout = Sääntöjen vastainen asettelu
title-wrong-shot-count = Väärä määrä laukauksia
title-wrong-reveal-count = Väärä määrä ruutuja
title-repeated-cell = Toistuva ruutu
title-outside-grid = Ruudukon ulkopuolella
title-not-revealable = Ruutua ei voi paljastaa
title-idempotency-mismatch = Avain on käytetty toiseen pyyntöön
title-rate-limited = Liikaa pyyntöjä
title-internal = Sisäinen virhe
title-record-damaged = Pelin tallenne on vioittunut
title-unavailable = Ei käytettävissä

## What each code means and what to do about it.

meaning-malformed = JSON, jokin kenttä, tyyppi, ruudun kirjoitusasu, kysely tai otsake ei ole sellainen kuin toiminto ottaa vastaan. `detail` kertoo, missä.
meaning-unauthorized = Toiminto vaatii tämän pelin paikan tokenin muodossa `Authorization: Bearer …`. Toisen pelin token ei avaa sitä.
meaning-game-not-found = Tällä tunnuksella ei ole peliä. Tunnuksella on yksi kirjoitusasu: pienet kirjaimet ja väliviivat.
meaning-route-not-found = Tässä polussa ei ole mitään. Asiakirja osoitteessa /openapi.json luettelee, mitä on.
meaning-method-not-allowed = Polku on olemassa, mutta se ei ota vastaan tätä metodia. `Allow` luettelee ne, jotka se ottaa.
meaning-request-timeout = Otsakkeiden lupaama runko ei tullut 10 sekunnissa. Lähetä pyyntö uudelleen.
meaning-body-too-large = Rungossa saa olla 16 KiB. Mikään sallittu pyyntö ei ole suurempi.
meaning-unsupported-media-type = Runko on JSONia, ja sen mukana tulee `Content-Type: application/json` eikä `Content-Encoding`.
meaning-game-full = Molemmat paikat on varattu. Ilman tokenia voit katsoa.
meaning-own-game = Sinulla on jo paikka tässä pelissä. Lähetä linkki jollekulle toiselle.
meaning-already-placed = Hyväksytty asettelu on lopullinen.
meaning-not-joined = Toista paikkaa ei kukaan koskaan ottanut, joten uusintapelille ei ole vastustajaa.
meaning-not-in-battle = Ampuminen alkaa, kun molemmat ovat sijoittaneet. `awaiting` kertoo, kenen on tehtävä mitä.
meaning-not-your-turn = On toisen pelaajan vuoro. `awaiting` kertoo, mitä odotetaan.
meaning-reveal-due = Osuit miinaan, ja sinun on paljastettava omien laivojesi ruutuja. `revealable` luettelee ne, jotka voit antaa.
meaning-no-reveal-due = On sinun vuorosi ampua, eikä sinun tarvitse paljastaa ruutua.
meaning-already-fired = Samaan ruutuun ei ammuta kahdesti. `cells` luettelee ne, joihin on jo ammuttu.
meaning-game-over = Peli on päättynyt. Pelin `result` kertoo, miten.
meaning-not-over = Tämä näytetään, kun peli on pelattu loppuun, eikä koskaan keskeytyksen jälkeen.
meaning-nothing-to-prove = Todistuksia on laukauksista ja paljastetuista ruuduista: tapahtumista, joiden tyyppi on fired tai revealed.
meaning-nothing-to-analyse = Analyysi tehdään laukauksista: tapahtumista, joiden tyyppi on fired.
meaning-in-flight = Toinen tämän pelin pyyntö on käsiteltävänä. Katso peliä ja päätä sitten.
meaning-stale-version = Peli on edennyt otsakkeen `If-Match` versiosta. `version` on nykyinen.
meaning-illegal-layout = Laivat ja miinat rikkovat sääntöjä. `faults` luettelee jokaisen virheen ja laivan tai miinan, jota se koskee. Mitään ei sijoitettu.
meaning-wrong-shot-count = Vuorossa on yksi laukaus, yhteislaukauksessa yksi jokaista pinnalla olevaa laivaasi kohden. `expected` kertoo, montako.
meaning-wrong-reveal-count = Kaikki paljastettavat ruudut annetaan yhdessä pyynnössä. `expected` kertoo, montako.
meaning-repeated-cell = Ruutu saa olla pyynnössä vain kerran. `cells` luettelee toistuvat.
meaning-outside-grid = Tämän pelin ruudukko loppuu ennen näitä: `cells`.
meaning-not-revealable = Paljastaa voi vain omien laivojen ruudun, johon ei ole osuttu ja jota ei ole paljastettu. Pelin `revealable` luettelee ne.
meaning-idempotency-mismatch = Tämä avain on lähetetty aiemmin toisen polun tai rungon kanssa. Avain kuuluu yhteen pyyntöön: valitse uusi.
meaning-rate-limited = Pyydät liikaa yhdellä kertaa. Odota niin monta sekuntia kuin `Retry-After` kertoo.
meaning-internal = Vika on palvelimessa, ei pyynnössäsi.
meaning-record-damaged = Pelistä tallennettu on ristiriidassa itsensä kanssa tai sitä ei voi lukea. Pelin tarkistus kertoo, missä vika on; palvelimen ylläpitäjä voi korjata sen.
meaning-unavailable = Palvelin ei juuri nyt pysty vastaamaan. Katso peliä ja yritä uudelleen, kun niin monta sekuntia on kulunut kuin `Retry-After` kertoo.

## The game and its rules say no.

no-such-game = tällä tunnuksella ei ole peliä
no-such-games = jotakin näistä peleistä ei ole: `games` luettelee ne
needs-token = tähän tarvitaan tämän pelin token muodossa `Authorization: Bearer …`
moved-on = peli on edennyt: sen versio on { $version }
shown-at-the-end = tämä näytetään, kun peli on pelattu loppuun
event-answers-nothing = mikään tämännumeroinen tapahtuma ei vastaa laukaukseen eikä paljasta ruutuja
event-is-no-shot = mikään tämännumeroinen tapahtuma ei ole laukaus
another-is-carried-out = toinen tämän pelin pyyntö on käsiteltävänä: katso peliä ja yritä uudelleen
key-sent-before = tämä Idempotency-Key on lähetetty aiemmin toisen polun tai rungon kanssa
seats-taken = tämän pelin molemmat paikat on varattu
seat-is-yours = sinulla on jo paikka tässä pelissä
layout-is-final = laivasi ja miinasi on sijoitettu, ja asettelu on lopullinen
seat-is-free = tämän pelin toista paikkaa ei kukaan koskaan ottanut
battle-has-not-begun = taistelu alkaa, kun molemmat ovat sijoittaneet laivansa
others-turn = on toisen pelaajan vuoro
cells-owed = { $expected ->
    [one] osuit miinaan: paljasta laivoistasi { $expected } ruutu, ennen kuin kukaan ampuu taas
   *[other] osuit miinoihin: paljasta laivoistasi { $expected } ruutua, ennen kuin kukaan ampuu taas
}
nothing-owed = sinun ei tarvitse paljastaa ruutua: on sinun vuorosi ampua
game-has-ended = tämä peli on päättynyt
shots-due = { $expected ->
    [one] tällä vuorolla on tasan { $expected } laukaus
   *[other] tällä vuorolla on tasan { $expected } laukausta
}, ja lähetettiin { $sent }
cells-due = { $expected ->
    [one] paljastettava on tasan { $expected } ruutu
   *[other] paljastettava on tasan { $expected } ruutua
}, ja lähetettiin { $sent }
cell-stands-twice = ruutu saa olla pyynnössä vain kerran
beyond-the-grid = tämän pelin ruudukko loppuu ennen sitä
fired-at-before = samaan ruutuun ei ammuta kahdesti
cannot-be-given-away = paljastaa voi vain omien laivojen ruudun, johon ei ole osuttu ja jota ei ole paljastettu
layout-has-faults = asettelu rikkoo sääntöjä { $count } kohdassa
layout-has-more-faults = asettelu rikkoo sääntöjä ainakin { $count } kohdassa

## What is wrong with a layout. Ships go by where they lie and their lengths, mines by where they lie.

ship-outside = laiva { $at } (pituus { $length }) ulottuu ruudukon ulkopuolelle
mine-outside = miina { $mine } on ruudukon ulkopuolella
ship-surplus = laiva { $at } (pituus { $length }): laivastossa ei ole enempää tämän pituisia laivoja
ship-missing = puuttuu laiva, jonka pituus on { $length }
ships-overlap = laiva { $at } (pituus { $length }) on laivan { $other_at } (pituus { $other_length }) päällä
ships-touch = laiva { $at } (pituus { $length }) koskettaa laivaa { $other_at } (pituus { $other_length })
mine-on-ship = miina { $mine } on laivan { $at } (pituus { $length }) päällä
mine-touches-ship = miina { $mine } koskettaa laivaa { $at } (pituus { $length })
mines-touch = miina { $mine } koskettaa miinaa { $other_mine }
mines-due = { $expected ->
    [one] tarvitaan tasan { $expected } miina
   *[other] tarvitaan tasan { $expected } miinaa
}
no-room-for-mines = laivat eivät jätä miinalle yhtään ruutua

## How a body is read.

not-json = runko ei ole JSONia: rivi { $line }, sarake { $column }
json-ends-early = runko ei ole JSONia: se loppuu kesken, rivi { $line }, sarake { $column }
key-twice = avain on kahdesti samassa objektissa, joka päättyy kohtaan rivi { $line }, sarake { $column }
number-too-large = luku on liian suuri: rivi { $line }, sarake { $column }
unknown-field = tätä kenttää ei tunneta tässä: kentät ovat { $known }
no-fields = tässä ei tunneta yhtään kenttää
missing-field = kenttä { $field } puuttuu
one-of-words = odotetaan yhtä näistä sanoista: { $words }
null-alone = tässä käy vain null
is-object = odotetaan objektia
is-list = odotetaan luetteloa
is-text = odotetaan tekstiä
is-whole-number = odotetaan kokonaislukua
is-true-or-false = odotetaan arvoa true tai false
number-out-of-range = luku ei ole rajoissaan
something-else-expected = tässä odotetaan jotakin muuta
is-cell = ruutu on sarake A–O ja rivi 1–15, esimerkiksi B7, isolla kirjaimella ja ilman välilyöntejä tai etunollia
is-grid = ruudukko on 8, 10, 12 tai 15
is-name = nimessä on 1–{ $most } merkkiä, eikä mikään niistä ole ohjausmerkki
is-between = luku väliltä { $min }–{ $max }
is-null-or-between = null tai luku väliltä { $min }–{ $max }
list-too-long = enintään { $most ->
    [one] { $most } kohta
   *[other] { $most } kohtaa
}
list-has = tässä on lista, jossa on { $min }–{ $max } kohtaa
body-broke-off = runko katkesi
body-is-late = luvattu runko ei tullut { $seconds } sekunnissa
body-has-limit = rungossa saa olla { $limit ->
    [one] { $limit } tavu
   *[other] { $limit } tavua
}
body-without-encoding = rungon mukana ei tule otsaketta Content-Encoding
body-is-json = rungon mukana tulee Content-Type: application/json
body-needs-type = runko vaatii otsakkeen Content-Type: application/json

## How query and headers are read.

parameter-twice = kyselyparametri { $name } on kahdesti
no-parameters = tällä toiminnolla ei ole kyselyparametreja
unknown-parameter = kyselyparametrit ovat { $known }
whole-number-between = { $name } on kokonaisluku väliltä { $min }–{ $max }
parameter-words = { $name } on jokin näistä: { $words }
parameter-is = { $name } on { $word }
games-are-listed = { $name } nimeää 1–{ $most } peliä, kunkin kerran, pilkuilla erotettuina
is-positions = { $name } sisältää jokaiselle { $count } pelille luvun, pelien järjestyksessä, pisteillä yhdistettyinä
after-is-next = after on jonkin sivun next
header-twice = { $name } on kahdesti
header-is-no-text = { $name } ei ole tekstiä
key-form = otsakkeessa Idempotency-Key on 1–{ $most } näkyvää ASCII-merkkiä
key-is-secret = tässä Idempotency-Key on yhtä salainen kuin token: se on satunnainen, ja siinä on vähintään { $least ->
    [one] { $least } merkki
   *[other] { $least } merkkiä
}
is-entity-tags = { $name } on * tai luettelo entiteettitunnisteita, esimerkiksi "9-host"

## What the server says.

nothing-here = tässä polussa ei ole mitään; katso /docs/
no-such-file = Swagger UI:ssa ei ole tämännimistä tiedostoa
no-such-problem = tämännimistä ongelmaa ei ole
path-takes = tämä polku ottaa vastaan: { $methods }
budget-spent = osoitteesi on toistaiseksi käyttänyt pyyntönsä: yritä uudelleen { $seconds } sekunnin kuluttua
address-asks-enough = osoitteellasi on jo niin monta pyyntöä kesken kuin sillä saa olla
address-follows-enough = osoitteesi seuraa jo niin monta peliä kuin se saa
address-lists-enough = osoitteellasi on { $most } listattua peliä, joihin kukaan ei ole liittynyt: uuden voi listata, kun johonkin niistä on liitytty tai se on päättynyt
game-followed-enough = tällä pelillä on jo niin monta seuraajaa kuin sillä saa olla
server-is-broken = vika on palvelimessa, ei pyynnössäsi
record-is-damaged = pelistä tallennettu on ristiriidassa itsensä kanssa; pelin tarkistus kertoo, missä
server-is-busy = palvelin ei juuri nyt pysty vastaamaan
database-is-away = tietokanta ei vastaa, tai siinä ei ole tämän julkaisun tauluja

## What is wrong with a log.

flaw-no-object = tapahtuma on objekti
flaw-not-canonical = tapahtumalla ei ole kanonista muotoa
flaw-unreadable = tämä ei ole version 1 muotoinen tapahtuma
flaw-other-form = tapahtumassa on enemmän kuin versio 1 kirjoittaa, tai se on kirjoitettu toisin
flaw-seq = seq on { $seq }, paikka on { $place }
flaw-head = head ei ole tiiviste edellisestä head-arvosta ja tästä tapahtumasta
flaw-kept-head = millään lokin tapahtumalla ei ole talteen otettua head-arvoa
flaw-created-twice = peli luodaan vain kerran
flaw-other-game = loki kuuluu toiseen peliin
flaw-beginning = loki alkaa pelin luomisesta
flaw-first = ensimmäisenä ei ammu se, jonka asetusten mukaan pitäisi
flaw-time = se tuli hetkellä { $at }, määräaika oli { $due }
flaw-layout = { $seat ->
    [host] isännän
   *[guest] vieraan
} asettelu rikkoo sääntöjä
flaw-commitment = { $seat ->
    [host] isännän
   *[guest] vieraan
} asettelu ja suola eivät ole ne, joihin sitouduttiin
flaw-derived = { $field } ei seuraa lokista
flaw-view = pelin { $field } ei ole se, minkä loki kertoo
flaw-phase = tällaista tapahtumaa ei voi olla tässä pelin vaiheessa
flaw-seat = on toisen pelaajan vuoro
flaw-count = ruutujen määrä ei ole se, joka piti antaa
flaw-cell = ruutua ei voi käyttää tässä kohdassa
flaw-answer = vastaus ei ole se, minkä laudat kertovat
flaw-row = taulun { $table } sarake { $column } ei ole se, mitä loki sanoo, tai sitä ei voi lukea
flaw-row-missing = taulusta { $table } puuttuu rivi
flaw-row-surplus = taulussa { $table } on rivi liikaa
flaw-proof-of-nothing = todistus ei koske mitään tapahtumaa, joka kertoisi laudasta
flaw-proof-seat = todistus koskee toista lautaa
flaw-proof-cells = todistus koskee muita ruutuja kuin tapahtuma
flaw-proof-content = todistus sanoo ruudusta { $cell } muuta kuin tapahtuma
flaw-proof-astray = ruutu { $cell } ei johda todistuksen juureen
flaw-proof-root = todistuksen juuri ei ole se, johon sitouduttiin

## The words of the game.

columns = A B C D E F G H I J K L M N O
answer-miss = ohi
answer-hit = osuma
answer-sunk = upotus
answer-mine = miina
status-waiting = odotetaan vastustajaa
status-placing = laivastoja sijoitetaan
status-battle = taistelu
status-finished = pelattu loppuun
status-aborted = päättynyt ilman voittajaa
action-join = ottaa vapaa paikka
action-place = sijoittaa laivat ja miinat
action-fire = ampua
action-reveal = paljastaa omien laivojen ruutuja
reason-fleet-sunk = koko laivasto on upotettu
reason-resigned = luovutus
reason-timed-out = aika loppui
reason-aborted = keskeytetty ennen taistelua
reason-expired = kukaan ei liittynyt ajoissa, tai mitään ei tapahtunut liian pitkään aikaan
level-easy = helppo
level-medium = keskitaso
level-hard = vaikea

## The options, each with its name and what it does.

option-grid = Ruudukko
option-grid-text = Montako saraketta kummankin ruudukossa on, ja yhtä monta riviä.
option-fleet = Laivasto
option-fleet-text = Mitkä laivat kummallakin on, samat jokaisella ruudukolla.
option-mines = Miinat
option-mines-text = Kumpikin piilottaa laivastonsa viereen miinoja: yhden 8×8- ja 10×10-ruudukkoon, kaksi 12×12-ruudukkoon, kolme 15×15-ruudukkoon.
option-salvo = Yhteislaukaus
option-salvo-text = Vuoro on yhteislaukaus, jossa on yksi laukaus jokaista pinnalla olevaa laivaasi kohden.
option-shoot-again = Lisälaukaus osumasta
option-shoot-again-text = Osuma tai upotus antaa uuden laukauksen, yhteislaukauksessa jokainen yhden. Miina ei anna koskaan.
option-first = Ensimmäinen laukaus
option-first-text = Kuka ampuu ensin.
option-turn-seconds = Vuoron aika
option-turn-seconds-text = Aika jokaiseen sijoittamiseen, ampumiseen ja paljastamiseen: { $seconds } sekunnista { $days } päivään, tai ei rajaa. Se, jonka aika loppuu taistelussa, häviää. Käyttökatkoon kulunut aika hyvitetään.
fleet-classic = Klassinen
fleet-russian = Venäläinen
first-host = pelin luoja
first-guest = peliin liittyvä
first-random = arpa ratkaisee

## The standard game.

standard = Kumpikin piilottaa laivaston omaan ruudukkoonsa, eikä mikään laiva kosketa toista, ei edes kulmasta. Sitten pelaajat ampuvat vuorotellen yhteen toisen ruudukon ruutuun. Jokaiseen laukaukseen vastataan: ohi on vettä, osuma on löytänyt laivan, ja laiva, jonka jokaiseen ruutuun on osuttu, on upotettu ja näytetään kokonaan. Kukaan ei ammu samaan ruutuun kahdesti. Jokaisen laukauksen jälkeen on toisen vuoro, elleivät valinnat määrää toisin. Se, joka ensin upottaa koko vihollisen laivaston, on heti voittanut.

## The Mines variant.

what-1 = Laivojen lisäksi kumpikin piilottaa miinoja: yhden 8×8- ja 10×10-ruudukkoon, kaksi 12×12-ruudukkoon, kolme 15×15-ruudukkoon. Miina on yhdessä ruudussa ja pysyy erillään jokaisesta laivasta ja toisesta miinasta, myös kulmittain.
what-2 = Kukaan ei näe vihollisen miinaa ennen kuin osuu siihen. Miinaan ampunut kuulee vastauksen "miina", ja hänen on paljastettava omien laivojensa ruutu: sellainen, johon ei ole osuttu ja jota ei ole paljastettu, ja sen hän saa valita. Miinan omistaja löytää ruudun merkittynä maaliruudukostaan ja saa ampua siihen millä tahansa myöhemmällä vuorollaan tai olla ampumatta. Miina ei ole onnistuminen, joten vuoro siirtyy sen omistajalle silloinkin, kun osuma toisi lisälaukauksen.
what-3 = Miina ei ole laiva. Kenenkään ei tarvitse löytää sitä, ja laivaston viimeisen laivan upottaminen päättää pelin kuten ennenkin.
setup-rule = Valmistelu
setup-standard = Kumpikin sijoittaa laivansa eikä mitään muuta.
setup-mines = Laivojen mukana sijoitetaan miinat: yksi 8×8- ja 10×10-ruudukkoon, kaksi 12×12-ruudukkoon, kolme 15×15-ruudukkoon.
place-rule = Missä miina saa olla
place-standard = Miinoja ei ole.
place-mines = Missä tahansa vapaassa ruudussa, joka ei kosketa laivaa eikä toista miinaa, ei edes kulmasta.
strike-rule = Miinaan ampuminen
strike-standard = Miinoja ei ole: laukaus menee ohi, osuu tai upottaa.
strike-mines = Ampuja paljastaa omista laivoistaan osumattoman ruudun, ja miinan omistaja saa ampua siihen. Yhteislaukaus maksaa yhden ruudun jokaisesta miinasta, johon se osuu.
turn-rule = Vuoro miinan jälkeen
turn-standard = Miinoja ei ole.
turn-mines = Se on miinan omistajan, silloinkin kun osuma tuo lisälaukauksen.
end-rule = Pelin loppu
end-standard = Se voittaa, joka ensin upottaa vihollisen koko laivaston.
end-mines = Sama. Miinat eivät ole laivoja, eikä niitä tarvitse löytää.
other-rule = Muut asetukset
other-standard = 10×10-ruudukko, klassinen laivasto, yksi laukaus vuorossa.
other-mines = Jokainen ruudukko, kumpikin laivasto, yhteislaukaus ja lisälaukaus osumasta: miinat sopivat niihin kaikkiin.
history-1 = Miinat ovat peräisin pelistä Morskoi boi, meritaistelusta, jota Venäjällä ja muissa entisen Neuvostoliiton maissa pelataan ruutupaperilla. Venäläiset pelikuvaukset lisäävät tavalliseen 10×10-kenttään ja laivastoon yhden tai useamman miinan: yhteen ruutuun piirretyn ympyrän, joka ei saa koskettaa laivaa eikä toista miinaa. Siihen osunut kertoo miinan omistajalle yhden oman laivansa vielä ehjän ruudun, johon tämä saa ampua milloin haluaa; ja koska miina ei ole onnistuminen, vuoro on omistajan.
history-2 = Samat kuvaukset sallivat suuremmilla kentillä enintään kolme miinaa kummallekin sekä miinanraivaajat, joita tässä ei pelata. Tässä miinojen määrä seuraa ruudukkoa: yksi 8×8- ja 10×10-ruudukossa, kaksi 12×12-ruudukossa, kolme 15×15-ruudukossa.
