// The texts of each language.

import { en } from './en.ts'
import { es, type Words } from './es.ts'
import type { Language } from './language.ts'

export type { Words }

export const WORDS: Readonly<Record<Language, Words>> = { es, en }
