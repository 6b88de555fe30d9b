// Which Node runs Recaudo: the one that runs this, if it is as new as the one that npm ci brings along; that one; or, where it
// was left out (--omit=optional), this one, if it is new enough to run TypeScript as it is. Runs on Node 20 itself.

// Recaudo is written for it.
const OWN_MAJOR = 26
// The oldest that runs all of it: it strips types and disposes of what `await using` names.
const OLDEST_MAJOR = 24

// `packages` names those that bring a Node and a PostgreSQL, by platform. `findNode` returns the Node of a package, if it is
// installed. The answer is a path, this process (`here`), or a sentence for the operator.
export function chooseNode({ platform, arch, version, path, packages, findNode }) {
  if (platform === 'win32') return { problem: WINDOWS }
  const major = Number.parseInt(version.replace(/^v/, ''), 10)
  if (major >= OWN_MAJOR) return { node: 'here' }
  const brought = packages[`${platform}-${arch}`]
  const own = brought && findNode(brought.node)
  if (own !== undefined) return { node: own }
  // As a child, so that it gets the same flags as the one we bring.
  if (major >= OLDEST_MAJOR) return { node: path }
  const way =
    brought === undefined
      ? `npm ci brings one along for Linux and macOS on x64 and arm64, not for ${platform} ${arch}; start Recaudo with one of your own.`
      : 'run npm ci without --omit=optional, which brings one along, or start Recaudo with one of your own.'
  return { problem: `Recaudo needs Node ${OLDEST_MAJOR} or newer, and this is ${version}: ${way}` }
}

const WINDOWS =
  'Recaudo does not run on Windows itself, but in WSL, the Linux inside Windows: run `wsl --install` once, and then, in the terminal that it opens, install Node 20 or newer, clone Recaudo into your home directory there (not under /mnt/c), and run npm ci && npm start.'
