// The packages of package-lock.json, each once for its name and version, and what each depends on.

export type Lockfile = { readonly packages: Readonly<Record<string, LockedPackage>> }

type LockedPackage = {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export type Package = {
  // Where it is installed, such as node_modules/ajv. Empty for the project itself.
  readonly path: string
  readonly name: string
  readonly version: string
  readonly license: string | undefined
  readonly integrity: string | undefined
  // Only for those who work on the project.
  readonly isDev: boolean
  readonly isOptional: boolean
  // Our own, in a folder of the project.
  readonly isOurs: boolean
  readonly hasInstallScript: boolean
  // Paths of what it depends on, where that is installed.
  readonly dependsOn: readonly string[]
}

const FOLDER = 'node_modules/'

export function packagesOf({ packages }: Lockfile): Package[] {
  return Object.entries(packages)
    .filter(([, { link }]) => link !== true)
    .map(([path, locked]) => ({
      path,
      name: locked.name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length),
      version: locked.version ?? '',
      license: locked.license,
      integrity: locked.integrity,
      isDev: locked.dev === true,
      // Some are for development, and optional in an installation.
      isOptional: locked.optional === true || locked.devOptional === true,
      isOurs: !path.includes(FOLDER),
      hasInstallScript: locked.hasInstallScript === true,
      dependsOn: namesIn(locked, path === '').flatMap((name) => placeOf(packages, path, name) ?? []),
    }))
}

function namesIn(locked: LockedPackage, isProject: boolean): string[] {
  const { dependencies, optionalDependencies, peerDependencies, devDependencies } = locked
  const all = {
    ...dependencies,
    ...optionalDependencies,
    ...peerDependencies,
    ...(isProject && devDependencies),
  }
  return Object.keys(all).sort()
}

// As Node looks for it: within the package, then in every folder above. What is optional need not be there.
export function placeOf(packages: Lockfile['packages'], from: string, name: string): string | undefined {
  const folders = from.split('/')
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const path = [...folders.slice(0, depth), `${FOLDER}${name}`].filter((part) => part !== '').join('/')
    const found = packages[path]
    if (found !== undefined) return found.link === true ? found.resolved : path
  }
  return undefined
}
