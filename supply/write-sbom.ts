// npm run sbom: writes sbom.cdx.json beside package-lock.json, which is all it reads.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bomOf, bomText } from './sbom.ts'

const ROOT = join(import.meta.dirname, '..')
const lockfile = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
const bom = bomOf(lockfile)
writeFileSync(join(ROOT, 'sbom.cdx.json'), bomText(lockfile))
const shipped = bom.components.filter(({ scope }) => scope !== 'excluded')
process.stdout.write(
  `sbom.cdx.json: ${bom.components.length} packages, ${shipped.length} of them in an installation without --include=dev.\n`,
)
