/** Shapes in units of a cell: the cell reaches from 0 to 1, so a shape needs no size of its own. */
export const SHAPES = {
    miss: "M.5 .36A.14 .14 0 1 1 .5 .64A.14 .14 0 1 1 .5 .36Z",
    hit: "M.26 .26L.74 .74M.74 .26L.26 .74",
    sunk: "M.28 .28L.72 .72M.72 .28L.28 .72",
    mine:
        "M.5 .04L.96 .5L.5 .96L.04 .5ZM.5 .34A.16 .16 0 1 1 .5 .66A.16 .16 0 1 1 .5 .34Z" +
        "M.5 .22V.34M.5 .66V.78M.22 .5H.34M.66 .5H.78M.31 .31L.39 .39M.61 .61L.69 .69M.69 .31L.61 .39M.39 .61L.31 .69",
    given: "M.5 .1L.9 .5L.5 .9L.1 .5ZM.5 .3L.7 .5L.5 .7L.3 .5Z",
    empty: "M.5 .45A.05 .05 0 1 1 .5 .55A.05 .05 0 1 1 .5 .45Z",
    mineless: "M.38 .5H.62",
    ownMine: "M.5 .2A.3 .3 0 1 1 .5 .8A.3 .3 0 1 1 .5 .2ZM.5 .42A.08 .08 0 1 1 .5 .58A.08 .08 0 1 1 .5 .42Z",
    aim: "M.5 .2A.3 .3 0 1 1 .5 .8A.3 .3 0 1 1 .5 .2ZM.5 .04V.3M.5 .7V.96M.04 .5H.3M.7 .5H.96",
    last: "M.06 .28V.06H.28M.72 .06H.94V.28M.94 .72V.94H.72M.28 .94H.06V.72",
    star: "M.5 .2L.58 .4L.8 .42L.63 .56L.69 .78L.5 .66L.31 .78L.37 .56L.2 .42L.42 .4Z",
    free: "M.5 .3L.7 .5L.5 .7L.3 .5Z",
} as const;

export type Shape = keyof typeof SHAPES;

/** A hull of so many cells, its bow to the right; lying down it is turned. */
export function hull(length: number): string {
    if (length === 1) {
        return "M.22 .2H.5C.74 .2 .86 .4 .9 .5C.86 .6 .74 .8 .5 .8H.22Q.1 .8 .1 .68V.32Q.1 .2 .22 .2Z";
    }
    const [shoulder, cheek, bow] = [length - 0.85, length - 0.35, length - 0.08];
    const upper = `M.24 .17H${shoulder}C${cheek} .17 ${bow} .4 ${bow} .5`;
    return `${upper}C${bow} .6 ${cheek} .83 ${shoulder} .83H.24Q.09 .83 .09 .68V.32Q.09 .17 .24 .17Z`;
}

/** What stands on the deck of a hull: a bridge amidships, and turrets before and behind it. */
export function deck(length: number): string {
    const middle = (length - 0.1) / 2;
    const turret = (x: number) =>
        `M${x - 0.1} .5A.1 .1 0 1 1 ${x + 0.1} .5A.1 .1 0 1 1 ${x - 0.1} .5ZM${x + 0.1} .5H${x + 0.26}`;
    if (length === 1) {
        return "M.3 .4H.52V.6H.3Z";
    }
    const bridge = `M${middle - 0.22} .36H${middle + 0.16}L${middle + 0.26} .5L${middle + 0.16} .64H${middle - 0.22}Z`;
    const turrets = length < 3 ? [] : length === 3 ? [length - 0.85] : [0.55, length - 1.05];
    return [bridge, ...turrets.map(turret)].join("");
}

/** A shape moved to a cell, with an optional scale about its upper left corner. */
export function placed(index: number, grid: number, scale = 1, shift = 0): string {
    const move = `translate(${(index % grid) + shift} ${Math.floor(index / grid) + shift})`;
    return scale === 1 ? move : `${move} scale(${scale})`;
}

/** A hull moved to where a ship lies. */
export function berthed(start: number, across: boolean, grid: number): string {
    const [column, row] = [start % grid, Math.floor(start / grid)];
    return across ? `translate(${column} ${row})` : `translate(${column + 1} ${row}) rotate(90)`;
}

/** The lines of a grid, and the small crosses and ticks that a chart has where they meet. */
export function chart(grid: number): { lines: string; crosses: string } {
    const steps = Array.from({ length: grid - 1 }, (_, step) => step + 1);
    const crosses = steps.flatMap((x) => [
        `M${x} 0v.14M${x} ${grid}v-.14M0 ${x}h.14M${grid} ${x}h-.14`,
        ...steps.map((y) => `M${x - 0.14} ${y}h.28M${x} ${y - 0.14}v.28`),
    ]);
    return { lines: steps.map((step) => `M${step} 0V${grid}M0 ${step}H${grid}`).join(""), crosses: crosses.join("") };
}
