// The bill of materials of the project, in CycloneDX 1.6: every package of package-lock.json with its version, licence, digest and
// what it depends on. The same lockfile gives the same bytes: there is no time in it, and its number comes from the lockfile.

import { createHash } from 'node:crypto'
import { type Lockfile, type Package, packagesOf } from './lockfile.ts'

export type Component = {
  type: 'application' | 'library'
  'bom-ref': string
  name: string
  version: string
  purl: string
  scope?: 'required' | 'optional' | 'excluded'
  licenses?: [{ expression: string }]
  hashes?: { alg: string; content: string }[]
}

export type Bom = {
  bomFormat: 'CycloneDX'
  specVersion: '1.6'
  serialNumber: string
  version: 1
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

// As it is written to a file.
export function bomText(lockfileText: string): string {
  return `${JSON.stringify(bomOf(lockfileText), null, 2)}\n`
}

export function bomOf(lockfileText: string): Bom {
  const packages = packagesOf(JSON.parse(lockfileText) as Lockfile)
  const refs = new Map(packages.map((one) => [one.path, purlOf(one)]))
  const components = new Map<string, Component>()
  const dependsOn = new Map<string, Set<string>>()
  for (const one of packages) {
    const component = componentOf(one)
    const ref = component['bom-ref']
    const known = components.get(ref)
    // One version may be installed in several places: whoever needs it most decides.
    if (known === undefined || rank(component) < rank(known)) components.set(ref, component)
    const needed = dependsOn.get(ref) ?? new Set()
    for (const path of one.dependsOn) needed.add(refs.get(path) as string)
    dependsOn.set(ref, needed)
  }
  const project = components.get(refs.get('') as string) as Component
  components.delete(project['bom-ref'])
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(lockfileText)}`,
    version: 1,
    metadata: { component: { ...withoutScope(project), type: 'application' } },
    components: [...components.values()].sort(byRef),
    dependencies: [...dependsOn]
      .map(([ref, needed]) => ({ ref, dependsOn: [...needed].sort() }))
      .sort((a, b) => (a.ref < b.ref ? -1 : 1)),
  }
}

const RANKS = ['required', 'optional', 'excluded']
const rank = ({ scope = 'required' }: Component): number => RANKS.indexOf(scope)
const byRef = (a: Component, b: Component): number => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)

function withoutScope({ scope: _, ...component }: Component): Component {
  return component
}

function componentOf(one: Package): Component {
  const purl = purlOf(one)
  return {
    type: 'library',
    'bom-ref': purl,
    name: one.name,
    version: one.version,
    purl,
    scope: one.isDev ? 'excluded' : one.isOptional ? 'optional' : 'required',
    ...(one.license !== undefined && { licenses: [{ expression: one.license }] as [{ expression: string }] }),
    ...(one.integrity !== undefined && { hashes: hashesOf(one.integrity) }),
  }
}

// The name of a package for every tool: pkg:npm/%40embedded-postgres/linux-x64@18.4.0
function purlOf({ name, version }: Package): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

const ALGORITHMS: Readonly<Record<string, string>> = { sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' }

// npm writes digests as sha512-<base64>, several separated by spaces.
function hashesOf(integrity: string): { alg: string; content: string }[] {
  return integrity.split(' ').map((one) => {
    const [algorithm = '', digest = ''] = one.split(/-(.*)/)
    const alg = ALGORITHMS[algorithm]
    if (alg === undefined) throw new Error(`${algorithm} is no digest that a bill of materials can name`)
    return { alg, content: Buffer.from(digest, 'base64').toString('hex') }
  })
}

// A version 8 UUID: its bits are ours to choose.
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
