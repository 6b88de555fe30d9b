// What an alarm tells beyond its kind, as people read it. Most of it is a network's own words or ids, and stays as it was written.

import type { UserLanguage } from '../../core/team/user.ts'
import { amountText } from '../format.ts'
import { centsOf } from './decimal.ts'

const MINIMUM = /^(-?[\d.]+) COP are available, and the minimum is ([\d.]+) COP$/

export function alarmDetail(kind: string, detail: string, language: UserLanguage): string {
  const [, available, minimum] = (kind === 'balance-below-minimum' && MINIMUM.exec(detail)) || []
  if (available === undefined || minimum === undefined) return detail
  const [has, least] = [amountText(centsOf(available), language), amountText(centsOf(minimum), language)]
  return language === 'es'
    ? `Había ${has} disponibles, y el mínimo es ${least}.`
    : `${has} was available, and the minimum is ${least}.`
}
