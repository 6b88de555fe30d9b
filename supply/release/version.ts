// One version for the service, the SDK and the command line: package.json of the root has it, and this table knows where it is
// repeated. `npm run release:version -- 0.2.0` writes it everywhere.

export type ReadFile = (path: string) => string

type Place = {
  readonly path: string
  // Each match is one mention; the group `version` holds it.
  readonly mentions: RegExp
}

const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/
const IN_MANIFEST = /^ {2}"version": "(?<version>[^"]+)"/gm
const OF_SDK = /"@recaudo\/sdk": "(?<version>[^"]+)"/g
const OF_IMAGE = /registry\.example\.com\/recaudo:(?<version>[\w.-]+)/g

export const SOURCE = 'package.json'

const PLACES: readonly Place[] = [
  { path: SOURCE, mentions: IN_MANIFEST },
  { path: 'sdk/package.json', mentions: IN_MANIFEST },
  { path: 'cli/package.json', mentions: IN_MANIFEST },
  { path: 'cli/package.json', mentions: OF_SDK },
  { path: 'package-lock.json', mentions: IN_MANIFEST },
  // Of the root, the sdk and the cli. What the tests need (test/tools) is never published, and has no version of its own.
  {
    path: 'package-lock.json',
    mentions: /^ {4}"(?:|sdk|cli)": \{\n(?: {6}"name": "[^"]+",\n)? {6}"version": "(?<version>[^"]+)"/gm,
  },
  { path: 'package-lock.json', mentions: OF_SDK },
  { path: 'examples/express-payment-link/package.json', mentions: OF_SDK },
  { path: 'examples/next-breb-qr/package.json', mentions: OF_SDK },
  { path: 'examples/payout-script/package.json', mentions: OF_SDK },
  { path: 'deploy/kubernetes/production/kustomization.yaml', mentions: /newTag: (?<version>\S+)/g },
  { path: 'docs/guides/en/deploying.md', mentions: OF_IMAGE },
  { path: 'docs/guides/es/deploying.md', mentions: OF_IMAGE },
]

export function versionOf(read: ReadFile): string {
  return JSON.parse(read(SOURCE)).version
}

export function versionProblems(read: ReadFile): string[] {
  const version = versionOf(read)
  if (!SEMVER.test(version)) return [`${SOURCE} has the version ${version}, which is not like 1.2.3`]
  return PLACES.flatMap(({ path, mentions }) => {
    const found = [...read(path).matchAll(mentions)].map(({ groups }) => groups?.version)
    if (found.length === 0) return [`${path} no longer mentions the version by ${mentions}`]
    return found
      .filter((one) => one !== version)
      .map(
        (one) => `${path} has ${one} where ${SOURCE} has ${version}: npm run release:version -- ${version}`,
      )
  })
}

// The files that change, with their new text.
export function withVersion(read: ReadFile, version: string): Map<string, string> {
  if (!SEMVER.test(version)) throw new Error(`${version} is not a version like 1.2.3`)
  const changed = new Map<string, string>()
  for (const { path, mentions } of PLACES) {
    const text = changed.get(path) ?? read(path)
    changed.set(
      path,
      text.replaceAll(mentions, (mention, ...rest) => {
        const { version: old } = rest.at(-1) as { version: string }
        const at = mention.lastIndexOf(old)
        return mention.slice(0, at) + version + mention.slice(at + old.length)
      }),
    )
  }
  return changed
}
