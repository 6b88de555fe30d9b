// How payments stand, in both languages, and the colour of each state.

import { type Html, html } from '../../core/html.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import { statesEn } from './states-en.ts'
import { type StateWords, statesEs } from './states-es.ts'

export type { StateWords }

export const STATES: Readonly<Record<UserLanguage, StateWords>> = { es: statesEs, en: statesEn }

export type Tone = 'good' | 'wait' | 'bad' | 'note' | 'quiet'

const TONES: Readonly<Record<string, Tone>> = {
  PENDING: 'note',
  PROCESSING: 'wait',
  CONFIRMED: 'good',
  CANCELED: 'quiet',
  DECLINED: 'bad',
  COMPLETED: 'good',
  EXPIRED: 'quiet',
  OPEN: 'good',
  SOLD_OUT: 'note',
  CLOSED: 'quiet',
  PENDING_SETTLEMENT: 'wait',
  SETTLED: 'good',
  REVERSED: 'bad',
  DELIVERED: 'good',
  FAILED: 'bad',
  ENABLED: 'good',
  DISABLED: 'bad',
}

export function toneOf(status: string): Tone {
  return TONES[status] ?? 'quiet'
}

// A word in the colour of its state; never a colour alone.
export function statusMark(status: string, word: string, tone = toneOf(status)): Html {
  return html`<span class="status ${tone}">${word}</span>`
}
