// The files of ours that a file names in its imports, as paths from the root.

import { join } from 'node:path'

export function importedBy(path: string, text: string): Set<string> {
  const specifiers = [...text.matchAll(/(?:from|import|import\()\s?'(\.[^']+)'/g)].map(
    ([, specifier]) => specifier as string,
  )
  return new Set(specifiers.map((specifier) => join(path, '..', specifier)))
}
