// How often tests repeat what one time shows already: other seeds, other pages of a kind, other rounds. `npm test` runs the usual
// number, `npm test -- --deep` the thorough one, which takes about twice as long.

export const isDeep = process.env.TEST_DEEP !== undefined

export const byDepth = <T>(usual: T, thorough: T): T => (isDeep ? thorough : usual)
