// The rules of the house, as functions over a list of sources. Each returns what breaks it. tidy.test.ts applies them to the
// code, and shows that each of them notices.

import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export type Source = { path: string; text: string; imports: string[] }

export function sourcesIn(root: string, pattern: string): Source[] {
  return globSync(pattern, { cwd: root }).map((path) =>
    sourceOf(root, path, readFileSync(join(root, path), 'utf8')),
  )
}

export function sourceOf(root: string, path: string, text: string): Source {
  const imports = [...text.matchAll(/(?:from|import)\s+'(\.[^']+)'/g)].map(([, target]) =>
    relative(root, resolve(root, dirname(path), target as string)),
  )
  return { path, text, imports }
}

export type Walls = {
  mayImport: Readonly<Record<string, readonly string[]>>
  knowEveryRoom: readonly string[]
}

export function unknownRooms(sources: readonly Source[], { mayImport, knowEveryRoom }: Walls): string[] {
  const isKnown = (room: string) => room in mayImport || knowEveryRoom.includes(room)
  return sources.filter(({ path }) => !isKnown(roomOf(path))).map(({ path }) => path)
}

export function crossedWalls(sources: readonly Source[], { mayImport, knowEveryRoom }: Walls): string[] {
  return sources.flatMap(({ path, imports }) => {
    const room = roomOf(path)
    if (knowEveryRoom.includes(room)) return []
    const allowed = [room, ...(mayImport[room] ?? [])]
    return imports
      .filter((target) => !allowed.includes(roomOf(target)))
      .map((target) => `${path} → ${target}`)
  })
}

const WIRE = /^src\/rails\/(breb\/wire|pse\/wire|signature)\.ts$/

export function railsBeyondReach(sources: readonly Source[]): string[] {
  const values = sources
    .filter(({ path }) => roomOf(path) === 'flows')
    .filter(({ text }) => /^import (?!type\b)[^']*from '(?:\.\.\/)+rails\//m.test(text))
    .map(({ path }) => path)
  const beyond = sources
    .filter(({ path }) => roomOf(path) === 'sandbox')
    .flatMap(({ path, imports }) =>
      imports
        .filter((target) => roomOf(target) === 'rails' && !WIRE.test(target))
        .map((target) => `${path} → ${target}`),
    )
  return [...values, ...beyond]
}

export function unknownShelves(
  sources: readonly Source[],
  nouns: readonly string[],
  others: Readonly<Record<string, readonly string[]>>,
): string[] {
  return sources.flatMap(({ path }) => {
    const shelf = shelfOf(path)
    const isKnown = shelf === undefined || [...nouns, ...(others[roomOf(path)] ?? [])].includes(shelf)
    return isKnown ? [] : [path]
  })
}

export function fullFolders(sources: readonly Source[], maxFiles: number): string[] {
  const folders = Map.groupBy(sources, ({ path }) => dirname(path))
  return [...folders].filter(([, files]) => files.length > maxFiles).map(([folder]) => folder)
}

export function crossedShelves(
  sources: readonly Source[],
  mayImport: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>,
): string[] {
  return sources.flatMap(({ path, imports }) => {
    const table = mayImport[roomOf(path)]
    const shelf = shelfOf(path)
    if (table === undefined || shelf === undefined) return []
    return imports
      .filter((target) => roomOf(target) === roomOf(path))
      .filter((target) => ![shelf, undefined, ...(table[shelf] ?? [])].includes(shelfOf(target)))
      .map((target) => `${path} → ${target}`)
  })
}

export function importCycles(sources: readonly Source[]): string[] {
  const graph = new Map(sources.map(({ path, imports }) => [path, imports]))
  const finished = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (finished.has(path) || trail.includes(path)) return
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path])
    finished.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return cycles
}

export function clockInCore(sources: readonly Source[]): string[] {
  return [
    ...matches(sources, /\b(Date\.now|new Date\(\)|Math\.random|performance\.now|randomBytes\(|randomUUID)/, [
      'core',
    ]),
    ...matches(sources, /\b(Date\.now|new Date\(\)|Math\.random|performance\.now)/, ['flows']),
  ]
}

export function environmentReads(sources: readonly Source[]): string[] {
  return matches(sources, /process\.env/).filter(
    (place) => !place.startsWith('src/config.ts') && !place.startsWith('src/embedded/'),
  )
}

export function sqlOutsideStore(sources: readonly Source[]): string[] {
  const statement = /\b(select\s.+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s)/
  return matches(sources, statement, ['core', 'flows', 'api', 'workers', 'operator'])
}

export function longFiles(sources: readonly Source[], maxLines: number): string[] {
  return sources.filter(({ text }) => text.split('\n').length > maxLines).map(({ path }) => path)
}

export function silentFiles(sources: readonly Source[]): string[] {
  return sources.filter(({ text }) => !text.startsWith('//')).map(({ path }) => path)
}

function roomOf(path: string): string {
  const [, room = ''] = path.split('/')
  return room
}

// Undefined for a file that stands beside the shelves.
function shelfOf(path: string): string | undefined {
  const [, , shelf, file] = path.split('/')
  return file === undefined ? undefined : shelf
}

function matches(sources: readonly Source[], pattern: RegExp, rooms?: readonly string[]): string[] {
  return sources
    .filter(({ path }) => rooms === undefined || rooms.includes(roomOf(path)))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          pattern.test(line.replace(/\/\/.*$/, '')) ? [`${path}:${index + 1}`] : [],
        ),
    )
}
