// Browsers and network addresses in words, as far as they say what they are.

import { addressRanges, isThisMachine } from '../../core/network-address.ts'
import type { AccountWords } from './words-es.ts'

type Words = AccountWords['sessions']

// The first that fits: many browsers call themselves by others' names, too.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?(?:iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(?:intosh| OS X)\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

export function browserText(agent: string | null, words: Words): string {
  if (agent === null) return words.unknownBrowser
  const browser = nameIn(BROWSERS, agent)
  const system = nameIn(SYSTEMS, agent)
  if (browser !== undefined && system !== undefined) return words.browserOn(browser, system)
  return browser ?? system ?? words.unknownBrowser
}

function nameIn(names: readonly [RegExp, string][], agent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(agent))?.[1]
}

const isLocal = addressRanges([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
])

export function addressText(address: string | null, words: Words): string {
  if (address === null) return words.unknownAddress
  if (isThisMachine(address)) return words.thisMachine
  return isLocal(address) ? words.localNetwork(address) : address
}
