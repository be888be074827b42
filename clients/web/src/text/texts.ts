import type { Check } from "naval-battle-client";

/**
 * Every message of the page. One with arguments is a function. Words of the game that the server says (answers,
 * statuses,
 * reasons, options, columns, levels, the rules, problems) are not here.
 */
export interface Texts {
    readonly title: string;
    readonly whatItIs: string;
    readonly noSignUp: string;
    readonly about: string;
    readonly api: string;

    // Start.
    readonly againstComputer: string;
    readonly againstComputerText: string;
    readonly withFriend: string;
    readonly withFriendText: string;
    readonly createLink: string;
    readonly withStranger: string;
    readonly withStrangerText: string;
    readonly findGame: string;
    readonly yourName: string;
    readonly options: string;
    readonly presets: string;
    readonly presetStandard: string;
    readonly presetMines: string;
    readonly presetRussian: string;
    readonly presetSalvo: string;
    readonly variants: string;
    readonly noMines: string;
    readonly noClock: string;
    readonly clockOf: (duration: string) => string;
    readonly otherClock: string;
    readonly secondsBetween: (least: number, most: number) => string;
    readonly listedClock: string;
    readonly yourGames: string;
    readonly moreGames: (count: number) => string;
    readonly forget: string;
    readonly gone: string;
    readonly against: (name: string) => string;
    readonly gameOf: (when: string) => string;
    readonly openGames: string;
    readonly noOffers: string;
    readonly looking: string;
    readonly somebody: string;
    readonly join: string;
    readonly joinTitle: string;
    readonly rules: string;
    readonly checkGame: string;

    // Everywhere.
    readonly cancel: string;
    readonly close: string;
    readonly clear: string;
    readonly reload: string;
    readonly toStart: string;
    readonly noGame: string;
    readonly host: string;
    readonly guest: string;
    readonly you: string;
    readonly computer: (level: string) => string;

    // Invite and invitation.
    readonly inviteTitle: string;
    readonly inviteText: string;
    readonly inviteLink: string;
    readonly share: string;
    readonly copy: string;
    readonly copied: string;
    readonly copyByHand: string;
    readonly qrCode: string;
    readonly onlyHere: string;
    readonly cancelGame: string;
    readonly callOff: string;
    readonly callOffTitle: string;
    readonly callOffText: string;
    /** `{0}` is the name. */
    readonly invitesYou: string;
    readonly rulesLink: string;
    readonly watch: string;
    readonly watching: string;
    readonly rematchIsTaken: string;
    readonly somebodyFaster: string;

    // Placing.
    readonly placeYours: string;
    readonly shuffle: string;
    readonly lastTime: string;
    readonly dock: string;
    readonly dockEmpty: string;
    readonly across: string;
    readonly down: string;
    readonly liesAcross: string;
    readonly liesDown: string;
    readonly placingHint: string;
    readonly chooseShip: string;
    readonly shipOf: (length: number) => string;
    readonly mine: string;
    readonly at: (what: string, cell: string) => string;
    readonly backInDock: (what: string) => string;
    readonly inDock: (what: string) => string;
    readonly anotherOne: string;
    readonly faultOverlap: (one: string, other: string) => string;
    readonly faultTouch: (one: string, other: string) => string;
    readonly faultOutside: (one: string) => string;
    readonly faultNoRoom: string;
    readonly ready: string;
    readonly readyIsFinal: string;
    readonly readyLocked: string;
    readonly stillChecking: string;
    readonly placedOnceJoined: string;
    readonly sealed: string;
    readonly notSealed: string;
    readonly mayClose: (name: string) => string;
    readonly theOther: string;
    readonly cellFree: string;
    readonly cellWrong: string;

    // Battle.
    readonly yourWaters: string;
    readonly watersOf: (name: string) => string;
    readonly computersWaters: string;
    readonly fleet: string;
    readonly sunk: string;
    readonly afloat: string;
    readonly hits: (count: number) => string;
    readonly yourTurn: string;
    readonly yourShots: (count: number) => string;
    readonly yourDebt: (count: number) => string;
    readonly theirTurn: (name: string) => string;
    readonly theyOwe: (name: string) => string;
    readonly theyPlace: (name: string) => string;
    readonly waitingForSomebody: string;
    readonly fireAt: (cell: string) => string;
    readonly fireShots: (count: number) => string;
    readonly hintFire: string;
    readonly hintAim: string;
    readonly hintGive: string;
    readonly firing: string;
    readonly giveAway: (cells: string) => string;
    readonly chosenOf: (count: number, most: number) => string;
    readonly noMoreShots: (count: number) => string;
    readonly noMoreCells: (count: number) => string;
    readonly cannotGive: (cell: string) => string;
    readonly debtFirst: (count: number) => string;
    readonly firedBefore: (cell: string) => string;
    readonly battleNotBegun: string;
    readonly notYourTurn: string;
    readonly onlyWatching: string;
    readonly choiceDropped: string;
    readonly otherWays: string;
    readonly cell: string;
    readonly aim: string;
    readonly moveAim: string;
    readonly aimLeft: string;
    readonly aimRight: string;
    readonly aimUp: string;
    readonly aimDown: string;
    readonly zoom: string;
    readonly noSuchCell: (text: string) => string;
    readonly moves: string;
    readonly proven: string;
    readonly disproven: string;
    readonly answerFalse: string;
    readonly timeLeft: (time: string) => string;
    readonly resign: string;
    readonly resignTitle: string;
    readonly resignText: string;
    readonly copyLink: string;
    readonly moveSeat: string;
    readonly moveSeatText: string;

    // Cells.
    readonly cellOpen: string;
    readonly cellWater: string;
    readonly cellEmpty: string;
    readonly cellMineless: string;
    readonly cellShip: (length: number) => string;
    readonly cellYourShip: (length: number) => string;
    readonly cellYourMine: string;
    readonly cellGiven: string;
    readonly cellGivenOpen: string;
    readonly cellPicked: string;
    readonly cellTellsLeast: string;
    readonly cellAimed: string;
    readonly cellAimedOf: (shot: number, shots: number) => string;
    readonly cellLast: string;

    // Events.
    readonly eventCreated: (who: string) => string;
    readonly eventJoined: (who: string, isYou: boolean) => string;
    readonly eventPlaced: (who: string, isYou: boolean) => string;
    readonly eventFired: (who: string, answers: string) => string;
    readonly eventOwes: (who: string, count: number, isYou: boolean) => string;
    readonly eventRevealed: (who: string, cells: string, isYou: boolean) => string;
    readonly eventResigned: (who: string, isYou: boolean) => string;
    readonly eventTimedOut: (who: string) => string;
    readonly eventExpired: string;
    readonly eventExtended: (seconds: number) => string;

    // The end, replays and checks.
    readonly youWon: string;
    readonly youLost: string;
    readonly wonBy: (name: string) => string;
    readonly nobodyWon: string;
    readonly rematch: string;
    readonly replay: string;
    readonly check: string;
    readonly newGame: string;
    readonly accept: string;
    readonly wantsRematch: (name: string) => string;
    /** `{0}` is the name. */
    readonly wantsRematchMixed: string;
    readonly rematchAsked: (name: string) => string;
    readonly rematchGoesOn: string;
    readonly watchRematch: string;
    readonly statistics: string;
    readonly statShots: string;
    readonly statHits: string;
    readonly statMines: string;
    readonly statGiven: string;
    readonly statLongest: string;
    readonly standardGame: string;
    readonly mines: string;
    readonly changes: string;
    readonly history: string;
    readonly position: (seq: number, of: number) => string;
    readonly positionSlider: string;
    readonly stepFirst: string;
    readonly stepBack: string;
    readonly stepOn: string;
    readonly stepLast: string;
    readonly play: string;
    readonly pause: string;
    readonly eyes: string;
    readonly eyesSpectator: string;
    readonly eyesAll: string;
    readonly linkToPosition: string;
    readonly backToGame: string;
    readonly chances: string;
    readonly chancesText: string;
    readonly botBelieved: string;
    readonly luck: string;
    readonly luckText: (hits: number, expected: string) => string;
    readonly choicesAsGood: (share: string) => string;
    readonly best: (cell: string, chance: string) => string;
    readonly checkTitle: string;
    readonly checkRunning: string;
    readonly checkAllTrue: string;
    readonly checkSomethingFalse: string;
    readonly checkNames: Readonly<Record<CheckName, (count: number) => string>>;
    readonly checkTrue: string;
    readonly checkFalse: string;
    readonly checkAborted: string;
    readonly checkOpen: string;
    readonly checkDistrust: string;
    readonly checkFiles: string;
    readonly checkFilesText: string;
    readonly gameFile: string;
    readonly eventsFile: string;
    readonly saveGame: string;
    readonly saveEvents: string;
    readonly notAGame: string;

    // Connection, refusals.
    readonly connecting: string;
    readonly live: string;
    readonly connectionLost: string;
    readonly waitsForConnection: string;
    readonly noAnswer: string;
    readonly somethingWrong: string;
    readonly tryAgainIn: (seconds: number) => string;
    readonly alreadyDone: string;
    readonly keyOpensNothing: string;
    readonly pageIsOld: string;
    readonly notKept: string;
    readonly keyLink: string;

    // Settings.
    readonly settings: string;
    readonly setLanguage: string;
    readonly setLetters: string;
    readonly lettersOfLanguage: string;
    readonly lettersLatin: string;
    readonly setTheme: string;
    readonly asSystem: string;
    readonly themeLight: string;
    readonly themeDark: string;
    readonly setConfirm: string;
    readonly confirmAutomatic: string;
    readonly confirmAlways: string;
    readonly confirmNever: string;
    readonly setMarks: string;
    readonly markEmpty: string;
    readonly markMineless: string;
    readonly setSound: string;
    readonly soundOff: string;
    readonly soundTurn: string;
    readonly soundAll: string;
    readonly setMotion: string;
    readonly motionFull: string;
    readonly motionNone: string;
    readonly setNotices: string;
}

/** What is checked of a game. */
export type CheckName = Check["name"];
