// Which licences packages may have. What an installation of the service contains is held to a shorter list than what is only used
// to work on it.

import type { Package } from './lockfile.ts'

export const SHIPPED_LICENCES = ['MIT', 'MIT-0', 'Apache-2.0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD']
export const DEVELOPMENT_LICENCES = [
  ...SHIPPED_LICENCES,
  'CC0-1.0',
  'CC-BY-4.0',
  'LGPL-3.0-or-later',
  'MPL-2.0',
  'PSF-2.0',
  'Unlicense',
]

// An SPDX expression without brackets inside brackets: one side of an OR is enough, every side of an AND is needed.
export function isAllowed(expression: string | undefined, allowed: readonly string[]): boolean {
  if (expression === undefined) return false
  return expression
    .replaceAll(/^\((.*)\)$/g, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => allowed.includes(licence.trim())))
}

// The packages whose licence is not on their list. `licenceOf` says what a package itself says, where it is installed.
export function licenceProblems(
  packages: readonly Package[],
  licenceOf: (one: Package) => string | undefined = ({ license }) => license,
): string[] {
  return packages.flatMap((one) => {
    const licence = licenceOf(one)
    const allowed = one.isDev ? DEVELOPMENT_LICENCES : SHIPPED_LICENCES
    return isAllowed(licence, allowed) ? [] : [`${one.name} ${one.version}: ${JSON.stringify(licence)}`]
  })
}
