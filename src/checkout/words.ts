// The sentences of a language.

import type { Language } from './language.ts'
import { en } from './words-en.ts'
import { es, type Words } from './words-es.ts'

export type { Words }

export const WORDS: Readonly<Record<Language, Words>> = { es, en }
