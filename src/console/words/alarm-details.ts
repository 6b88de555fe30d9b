// What an alarm tells beyond its kind, as people read it. Most of it is a network's own words or ids, and stays as it was written.

import type { UserLanguage } from '../../core/team/user.ts'
import { amountText } from '../format.ts'
import { centsOf } from './decimal.ts'

// Alarms are kept as they were written: before schema 0060, with other words.
const MINIMUM = /^(-?[\d.]+) COP (?:can be paid out|are available), and the minimum is ([\d.]+) COP$/

const REFUSED = /^(.+?) refuses the credentials of the connection (.+) at (https?:\S+): (.+)$/

export function alarmDetail(kind: string, detail: string, language: UserLanguage): string {
  if (kind === 'connection-refused' && language === 'es')
    return detail.replace(REFUSED, '$1 rechaza las credenciales de la conexión $2 en $3: $4')
  const [, available, minimum] = (kind === 'balance-below-minimum' && MINIMUM.exec(detail)) || []
  if (available === undefined || minimum === undefined) return detail
  const [has, least] = [amountText(centsOf(available), language), amountText(centsOf(minimum), language)]
  return language === 'es'
    ? `Se podían pagar ${has}, y el mínimo es ${least}.`
    : `${has} could be paid out, and the minimum is ${least}.`
}
