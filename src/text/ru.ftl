# Русский. К игрокам обращаемся на «вы».

## What each code is called.

title-malformed = Неверный запрос
title-unauthorized = Нет доступа
title-game-not-found = Партия не найдена
title-route-not-found = Путь не найден
title-method-not-allowed = Метод не разрешён
title-request-timeout = Время запроса истекло
title-body-too-large = Слишком большое тело запроса
title-unsupported-media-type = Тип содержимого не поддерживается
title-game-full = Мест нет
title-own-game = Ваша собственная партия
title-already-placed = Уже расставлено
title-not-joined = Никто не присоединился
title-not-in-battle = Бой не идёт
title-not-your-turn = Не ваш ход
title-reveal-due = Сначала выдайте клетку
title-no-reveal-due = Выдавать нечего
title-already-fired = Сюда уже стреляли
title-game-over = Партия окончена
title-not-over = Партия не окончена
title-in-flight = Запрос уже выполняется
title-stale-version = Устаревшая версия
title-illegal-layout = Недопустимая расстановка
title-wrong-shot-count = Неверное число выстрелов
title-wrong-reveal-count = Неверное число клеток
title-repeated-cell = Клетка повторяется
title-outside-grid = За пределами поля
title-not-revealable = Эту клетку нельзя выдать
title-idempotency-mismatch = Ключ уже использован для другого запроса
title-rate-limited = Слишком много запросов
title-internal = Внутренняя ошибка
title-record-damaged = Запись партии повреждена
title-unavailable = Сервис недоступен

## What each code means and what to do about it.

meaning-malformed = JSON, поле, тип, запись клетки, параметры запроса или заголовок — не то, что принимает эта операция. `detail` говорит, где именно.
meaning-unauthorized = Для этой операции нужен токен места в этой партии в виде `Authorization: Bearer …`. Токен другой партии её не откроет.
meaning-game-not-found = Партии с таким идентификатором нет. У идентификатора одна запись: строчные буквы с дефисами.
meaning-route-not-found = По этому пути ничего нет. Документ /openapi.json перечисляет всё, что есть.
meaning-method-not-allowed = Такой путь есть, но этого метода он не принимает. `Allow` перечисляет те, что принимает.
meaning-request-timeout = Обещанное в заголовках тело запроса не пришло за 10 секунд. Отправьте запрос ещё раз.
meaning-body-too-large = Тело запроса может занимать 16 КиБ. Ни один допустимый запрос не больше.
meaning-unsupported-media-type = Тело запроса — это JSON, оно приходит с `Content-Type: application/json` и без `Content-Encoding`.
meaning-game-full = Оба места заняты. Без токена можно смотреть.
meaning-own-game = У вас уже есть место в этой партии. Отправьте ссылку кому-нибудь другому.
meaning-already-placed = Принятая расстановка окончательна.
meaning-not-joined = Второе место так никто и не занял, поэтому сыграть реванш не с кем.
meaning-not-in-battle = Стрелять начинают, когда обе стороны расставили корабли. `awaiting` говорит, кто что должен сделать.
meaning-not-your-turn = Ходит другая сторона. `awaiting` говорит, чего от неё ждут.
meaning-reveal-due = Вы попали в мину и должны выдать клетки своих кораблей. `revealable` перечисляет те, что можно выдать.
meaning-no-reveal-due = Ваша очередь стрелять, и выдавать клетки вы не должны.
meaning-already-fired = По одной клетке дважды не стреляют. `cells` перечисляет те, по которым уже стреляли.
meaning-game-over = Партия окончена. `result` в партии говорит, чем.
meaning-not-over = Это показывают, когда партия доиграна, а если она прервана — никогда.
meaning-in-flight = Выполняется другой запрос к этой партии. Посмотрите на партию, потом решайте.
meaning-stale-version = С версии, указанной в `If-Match`, партия ушла вперёд. `version` — текущая.
meaning-illegal-layout = Корабли и мины стоят не по правилам. `faults` перечисляет все ошибки, каждую с кораблём или миной, о которых она. Ничего не расставлено.
meaning-wrong-shot-count = За ход делают один выстрел, а залпом — по одному за каждый ваш корабль на плаву. `expected` говорит, сколько.
meaning-wrong-reveal-count = Все клетки, которые вы должны, выдают одним запросом. `expected` говорит, сколько.
meaning-repeated-cell = В одном запросе клетка может стоять только раз. `cells` перечисляет повторы.
meaning-outside-grid = Поле этой партии кончается раньше этих `cells`.
meaning-not-revealable = Выдать можно только клетку своего корабля, по которой ещё не попадали и которую ещё не выдавали. `revealable` в партии перечисляет их.
meaning-idempotency-mismatch = Этот ключ уже приходил с другим путём или телом запроса. Ключ принадлежит одному запросу: возьмите новый.
meaning-rate-limited = Слишком много запросов сразу. Подождите столько секунд, сколько указано в `Retry-After`.
meaning-internal = Что-то не так с сервером, а не с вашим запросом.
meaning-record-damaged = Сохранённое об этой партии противоречит само себе или не читается. Проверка партии скажет, где; исправить это может тот, кто ведёт сервер.
meaning-unavailable = Сервер сейчас не может ответить. Посмотрите на партию и повторите через столько секунд, сколько указано в `Retry-After`.

## The game and its rules say no.

no-such-game = партии с таким идентификатором нет
no-such-games = одной из этих партий нет: `games` перечисляет такие
needs-token = нужен токен этой партии в виде `Authorization: Bearer …`
moved-on = партия ушла вперёд: её версия — { $version }
shown-at-the-end = это показывают, когда партия доиграна
another-is-carried-out = выполняется другой запрос к этой партии: посмотрите на партию и повторите
key-sent-before = этот Idempotency-Key уже приходил с другим путём или телом запроса
seats-taken = оба места в этой партии заняты
seat-is-yours = у вас уже есть место в этой партии
layout-is-final = ваши корабли и мины расставлены, а расстановка окончательна
seat-is-free = второе место в этой партии так никто и не занял
battle-has-not-begun = бой начнётся, когда обе стороны расставят корабли
others-turn = сейчас ход другой стороны
cells-owed = { $expected ->
    [one] вы попали в мину: выдайте { $expected } клетку своих кораблей, прежде чем кто-либо снова выстрелит
    [few] вы попали в мины: выдайте { $expected } клетки своих кораблей, прежде чем кто-либо снова выстрелит
   *[many] вы попали в мины: выдайте { $expected } клеток своих кораблей, прежде чем кто-либо снова выстрелит
}
nothing-owed = выдавать клетки вы не должны: ваша очередь стрелять
game-has-ended = эта партия окончена
shots-due = { $expected ->
    [one] в этом ходу ровно { $expected } выстрел
    [few] в этом ходу ровно { $expected } выстрела
   *[many] в этом ходу ровно { $expected } выстрелов
}, а { $sent ->
    [one] прислан { $sent }
   *[many] прислано { $sent }
}
cells-due = { $expected ->
    [one] нужно выдать ровно { $expected } клетку
    [few] нужно выдать ровно { $expected } клетки
   *[many] нужно выдать ровно { $expected } клеток
}, а { $sent ->
    [one] прислана { $sent }
   *[many] прислано { $sent }
}
cell-stands-twice = в одном запросе клетка может стоять только раз
beyond-the-grid = поле этой партии кончается раньше
fired-at-before = по одной клетке дважды не стреляют
cannot-be-given-away = выдать можно только клетку своего корабля, по которой ещё не попадали и которую ещё не выдавали
layout-has-faults = { $count ->
    [one] расстановка нарушает правила в { $count } месте
   *[many] расстановка нарушает правила в { $count } местах
}
layout-has-more-faults = { $count ->
    [one] расстановка нарушает правила не менее чем в { $count } месте
   *[many] расстановка нарушает правила не менее чем в { $count } местах
}

## What is wrong with a layout. Ships and mines go by their places in the lists sent, from 0.

ship-outside = корабль { $ship } выходит за поле
mine-outside = мина { $mine } лежит за пределами поля
ship-surplus = корабль { $ship }: во флоте больше нет кораблей длины { $length }
ship-missing = не хватает корабля длины { $length }
ships-overlap = корабль { $ship } стоит на корабле { $earlier }
ships-touch = корабль { $ship } касается корабля { $earlier }
mine-on-ship = мина { $mine } лежит на корабле { $ship }
mine-touches-ship = мина { $mine } касается корабля { $ship }
mines-touch = мина { $mine } касается мины { $earlier }
mines-due = { $expected ->
    [one] нужна ровно { $expected } мина
    [few] нужны ровно { $expected } мины
   *[many] нужно ровно { $expected } мин
}
no-room-for-mines = корабли не оставляют ни одной клетки для мины

## How a body is read.

not-json = тело запроса — не JSON: строка { $line }, столбец { $column }
json-ends-early = тело запроса — не JSON: оно обрывается, строка { $line }, столбец { $column }
key-twice = в одном объекте ключ стоит дважды: в том, что кончается на строке { $line }, столбец { $column }
number-too-large = слишком большое число: строка { $line }, столбец { $column }
unknown-field = такого поля здесь нет: поля — { $known }
no-fields = здесь нет ни одного поля
missing-field = не хватает поля { $field }
one-of-words = ожидается одно из этих слов: { $words }
null-alone = здесь допустим только null
is-object = ожидается объект
is-list = ожидается список
is-text = ожидается текст
is-whole-number = ожидается целое число
is-true-or-false = ожидается true или false
number-out-of-range = число вне допустимых границ
something-else-expected = здесь ожидается что-то другое
is-cell = клетка — это столбец от A до O латинской буквой и строка от 1 до 15, например B7, заглавной буквой, без пробелов и ведущих нулей
is-grid = поле — это 8, 10, 12 или 15
is-name = в имени от 1 до { $most ->
    [one] { $most } символа
   *[many] { $most } символов
}, и среди них нет управляющих
is-between = число от { $min } до { $max }
is-null-or-between = null или число от { $min } до { $max }
list-too-long = не более { $most ->
    [one] { $most } элемента
   *[many] { $most } элементов
}
list-has = здесь ожидается список, в котором от { $min } до { $max } элементов
body-broke-off = тело запроса оборвалось
body-is-late = обещанное тело запроса не пришло за { $seconds ->
    [one] { $seconds } секунду
    [few] { $seconds } секунды
   *[many] { $seconds } секунд
}
body-has-limit = тело запроса может занимать { $limit ->
    [one] { $limit } байт
    [few] { $limit } байта
   *[many] { $limit } байт
}
body-without-encoding = тело запроса приходит без Content-Encoding
body-is-json = тело запроса приходит с Content-Type: application/json
body-needs-type = телу запроса нужен Content-Type: application/json

## How query and headers are read.

parameter-twice = параметр запроса { $name } стоит дважды
no-parameters = у этой операции нет параметров запроса
unknown-parameter = параметры запроса — { $known }
whole-number-between = { $name } — целое число от { $min } до { $max }
parameter-words = { $name } — одно из { $words }
parameter-is = { $name } — это { $word }
games-are-listed = { $name } называет от 1 до { $most } партий, каждую один раз, через запятую
is-positions = в { $name } по числу на каждую из { $count } партий, в их порядке, через точку
after-is-next = after — это next одной из страниц
header-twice = { $name } стоит дважды
header-is-no-text = { $name } — не текст
key-form = в Idempotency-Key от 1 до { $most ->
    [one] { $most } видимого символа
   *[many] { $most } видимых символов
} ASCII
key-is-secret = здесь Idempotency-Key — такая же тайна, как токен: он случаен, и в нём не меньше { $least ->
    [one] { $least } символа
   *[many] { $least } символов
}
is-entity-tags = { $name } — это * или список меток сущности, например "9-host"

## What the server says.

nothing-here = по этому пути ничего нет; смотрите /docs/
no-such-file = в Swagger UI нет файла с таким именем
no-such-problem = проблемы с таким именем нет
path-takes = этот путь принимает { $methods }
budget-spent = ваш адрес пока исчерпал свои запросы: повторите через { $seconds ->
    [one] { $seconds } секунду
    [few] { $seconds } секунды
   *[many] { $seconds } секунд
}
address-asks-enough = у вашего адреса уже столько запросов в работе, сколько можно
address-follows-enough = ваш адрес уже следит за столькими партиями, за сколькими можно
address-lists-enough = у вашего адреса уже { $most } партий в списке, к которым никто не присоединился: новую можно добавить, когда к одной из них присоединятся или она закончится
game-followed-enough = за этой партией уже следит столько зрителей, сколько можно
server-is-broken = что-то не так с сервером, а не с вашим запросом
record-is-damaged = сохранённое об этой партии противоречит само себе; её проверка скажет, где
server-is-busy = сервер сейчас не может ответить
database-is-away = база данных не отвечает или в ней нет таблиц этого выпуска

## What is wrong with a log.

flaw-no-object = событие — это объект
flaw-not-canonical = у события нет канонической формы
flaw-unreadable = это не событие в форме версии 1
flaw-other-form = в событии есть то, чего версия 1 не пишет, или оно записано иначе
flaw-seq = seq — { $seq }, а место — { $place }
flaw-head = head — не хеш от предыдущего head и этого события
flaw-kept-head = ни у одного события журнала нет сохранённого head
flaw-created-twice = партию создают один раз
flaw-other-game = это журнал другой партии
flaw-beginning = журнал начинается с создания партии
flaw-first = первым стреляет не тот, кто должен по настройкам
flaw-time = событие пришло в { $at }, а срок был { $due }
flaw-layout = расстановка { $seat ->
    [host] хозяина
   *[guest] гостя
} нарушает правила
flaw-commitment = расстановка и соль { $seat ->
    [host] хозяина
   *[guest] гостя
} — не те, что были зафиксированы
flaw-derived = { $field } не следует из журнала
flaw-view = { $field } партии — не то, что говорит журнал
flaw-phase = такого события в этой фазе партии быть не может
flaw-seat = ход другой стороны
flaw-count = клеток не столько, сколько требовалось
flaw-cell = эту клетку здесь использовать нельзя
flaw-answer = ответ — не то, что говорят поля
flaw-row = { $column } в { $table } не соответствует журналу или не читается
flaw-row-missing = в { $table } не хватает строки
flaw-row-surplus = в { $table } лишняя строка

## The words of the game.

columns = А Б В Г Д Е Ж З И К Л М Н О П
answer-miss = мимо
answer-hit = ранил
answer-sunk = убил
answer-mine = мина
status-waiting = ожидание соперника
status-placing = расстановка флотов
status-battle = бой
status-finished = доиграна
status-aborted = окончена без победителя
reason-fleet-sunk = потоплен весь флот
reason-resigned = сдача
reason-timed-out = время вышло
reason-aborted = прервана до боя
reason-expired = никто не присоединился вовремя, или слишком долго ничего не происходило

## The options, each with its name and what it does.

option-grid = Поле
option-grid-text = Сколько столбцов на поле каждой стороны, и столько же строк.
option-fleet = Флот
option-fleet-text = Какие корабли у каждой стороны, одни и те же на любом поле.
option-mines = Мины
option-mines-text = Каждая сторона прячет рядом со своим флотом мины: одну на 8×8 и 10×10, две на 12×12, три на 15×15.
option-salvo = Залп
option-salvo-text = Ход — это залп: по одному выстрелу за каждый ваш корабль на плаву.
option-shoot-again = Повторный выстрел при попадании
option-shoot-again-text = Попадание или потопление даёт ещё один выстрел, в залпе — по одному за каждое. Мина не даёт никогда.
option-first = Первый выстрел
option-first-text = Кто стреляет первым.
option-turn-seconds = Время на ход
option-turn-seconds-text = Время на каждую расстановку, каждый выстрел и каждую выдачу клеток: от { $seconds ->
    [one] { $seconds } секунды
   *[many] { $seconds } секунд
} до { $days ->
    [one] { $days } дня
   *[many] { $days } дней
} или без ограничения. У кого оно выйдет в бою, тот проиграл. Время, потерянное из-за сбоя, возвращается.
fleet-classic = Классический
fleet-russian = Русский
first-host = кто создал партию
first-guest = кто присоединился
first-random = решает жребий

## The Mines variant.

what-1 = Кроме кораблей, каждая сторона прячет мины: одну на 8×8 и 10×10, две на 12×12, три на 15×15. Мина лежит в одной клетке и не соприкасается ни с кораблями, ни с другими минами, в том числе углами.
what-2 = Мину соперника не видно, пока в неё не попадут. Кто выстрелил в мину, слышит «мина» и должен выдать клетку своих кораблей: такую, по которой ещё не попадали и которую ещё не выдавали, а какую именно — решает сам. Владелец мины видит эту клетку отмеченной на поле противника и может выстрелить по ней в любой свой следующий ход или не стрелять вовсе. Мина — не успех, поэтому ход получает её владелец, даже если попадание дало бы повторный выстрел.
what-3 = Мина — не корабль. Находить её никто не обязан, и партия, как всегда, кончается с последним потопленным кораблём флота.
setup-rule = Подготовка
setup-standard = Обе стороны расставляют корабли и больше ничего.
setup-mines = Вместе с кораблями ставят мины: одну на 8×8 и 10×10, две на 12×12, три на 15×15.
place-rule = Где может лежать мина
place-standard = Мин нет.
place-mines = В любой свободной клетке, которая не касается ни корабля, ни другой мины, даже углом.
strike-rule = Выстрел в мину
strike-standard = Мин нет: на выстрел отвечают «мимо», «ранил» или «убил».
strike-mines = Стрелявший выдаёт незадетую клетку своих кораблей, и владелец мины может по ней стрелять. Залп стоит по клетке за каждую мину, в которую он попал.
turn-rule = Ход после мины
turn-standard = Мин нет.
turn-mines = Он у владельца мины, даже если попадание даёт повторный выстрел.
end-rule = Конец партии
end-standard = Кто первым потопил весь флот противника, тот победил.
end-mines = Так же. Мины — не корабли, находить их не нужно.
other-rule = Другие настройки
other-standard = Поле 10×10, классический флот, один выстрел за ход.
other-mines = Любое поле, оба флота, залп и повторный выстрел при попадании: мины подходят ко всему.
history-1 = Мины пришли из «Морского боя», в который в России и других странах бывшего Советского Союза играют на листках в клетку. Русские описания игры добавляют к обычному полю 10×10 и флоту одну или несколько мин: кружок в одной клетке, который не должен касаться корабля или другой мины. Кто попал в неё, называет владельцу ещё неповреждённую клетку своего корабля, и тот может выстрелить по ней, когда захочет; а раз мина — не успех, ход у её владельца.
history-2 = Те же описания допускают на полях побольше до трёх мин у каждой стороны, а ещё тральщики, которых здесь нет. Число мин здесь зависит от поля: одна на 8×8 и 10×10, две на 12×12, три на 15×15.
