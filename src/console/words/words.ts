// The words of the console in both languages.

import type { UserLanguage } from '../../core/team/user.ts'
import { en } from './en.ts'
import { es, type Words } from './es.ts'

export type { Words }

export const WORDS: Readonly<Record<UserLanguage, Words>> = { es, en }
