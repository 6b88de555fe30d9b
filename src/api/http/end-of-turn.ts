// Lets what arrived in the same turn of the event loop go on together. The same work done for one request after the other, each
// part of it in a row, finds its code and data in the processor's caches: `npm run bench -- payins` shows a tenth more a second.

let ending: Promise<void> | undefined

export function endOfTurn(): Promise<void> {
  ending ??= new Promise((resolve) =>
    setImmediate(() => {
      ending = undefined
      resolve()
    }),
  )
  return ending
}
