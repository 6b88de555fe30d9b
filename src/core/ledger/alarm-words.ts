// Each kind of alarm in words: its title, and what it means to the merchant. Nothing here is about one payment or one person.

import type { AlarmLanguage } from '../organizations/organization.ts'
import type { AlarmKind } from './alarm.ts'

type Words = Readonly<Record<AlarmLanguage, Readonly<Record<AlarmKind, string>>>>

export const ALARM_TITLES: Words = {
  es: {
    'payin-contradiction': 'La red se contradijo sobre un cobro',
    'payout-contradiction': 'La red se contradijo sobre un pago',
    'payin-unresolved': 'Un cobro lleva un día sin respuesta de la red',
    'payout-unresolved': 'Un pago lleva un día sin respuesta de la red',
    'refund-unresolved': 'Una devolución lleva un día sin respuesta de la red',
    'orphan-notice': 'La red avisó de algo que no conocemos',
    reconciliation: 'La conciliación encontró una diferencia',
    'statement-late': 'El extracto de la red no ha llegado',
    'balance-below-minimum': 'Hay menos para pagar que el mínimo',
    'batch-altered': 'Un lote aprobado no es el que se aprobó',
    'connection-refused': 'Un proveedor rechaza las credenciales de una conexión',
    'address-refused': 'Usaron una credencial desde una dirección no permitida',
    'failed-sign-ins': 'Muchos intentos fallidos desde una dirección',
    'many-refusals': 'Una credencial recibe muchos rechazos',
    'many-missed-lookups': 'Muchas consultas de llaves que no existen',
  },
  en: {
    'payin-contradiction': 'The network contradicted itself about a payin',
    'payout-contradiction': 'The network contradicted itself about a payout',
    'payin-unresolved': 'A payin has been without the network’s answer for a day',
    'payout-unresolved': 'A payout has been without the network’s answer for a day',
    'refund-unresolved': 'A refund has been without the network’s answer for a day',
    'orphan-notice': 'The network told of something that we do not know',
    reconciliation: 'The reconciliation found a difference',
    'statement-late': 'The network’s statement has not come',
    'balance-below-minimum': 'There is less to pay out than the minimum',
    'batch-altered': 'An approved batch is not what was approved',
    'connection-refused': 'A provider refuses the credentials of a connection',
    'address-refused': 'A credential was used from an address that is not allowed',
    'failed-sign-ins': 'Many failed attempts from one address',
    'many-refusals': 'A credential gets many refusals',
    'many-missed-lookups': 'Many look-ups of keys that do not exist',
  },
}

export const ALARM_MEANINGS: Words = {
  es: {
    'payin-contradiction':
      'Dijo dos cosas distintas del mismo cobro. El cobro quedó como estaba; pregúntale a la red.',
    'payout-contradiction':
      'Dijo dos cosas distintas del mismo pago. El pago quedó como estaba; pregúntale a la red.',
    'payin-unresolved': 'Seguimos preguntando. Si la plata ya llegó a tu cuenta, habla con la red.',
    'payout-unresolved':
      'La plata sigue reservada y seguimos preguntando. No lo pagues otra vez por otro lado.',
    'refund-unresolved':
      'La plata sigue reservada y seguimos preguntando. No la devuelvas otra vez por otro lado.',
    'orphan-notice': 'Puede ser plata de un cobro que no se hizo con nosotros.',
    reconciliation: 'Lo que dice la red y lo que dicen tus libros no es igual.',
    'statement-late': 'Ese día todavía no está conciliado. Seguimos intentando.',
    'balance-below-minimum': 'Los pagos que no alcancen se rechazan. El mínimo lo pusiste en los avisos.',
    'batch-altered':
      'Alguien cambió sus filas después de la aprobación. No se envió nada y la plata sigue reservada.',
    'connection-refused':
      'Sus pagos esperan. Prueba la conexión y corrige sus llaves; la alarma termina sola cuando el proveedor las acepta.',
    'address-refused':
      'Rechazamos la petición. Si la dirección no es tuya, la credencial se filtró: cámbiala.',
    'failed-sign-ins': 'Alguien prueba credenciales que no sirven.',
    'many-refusals': 'Puede ser un programa con un error, o alguien que tiene la credencial y no debería.',
    'many-missed-lookups': 'Puede ser un programa con un error, o alguien que busca de quién es cada llave.',
  },
  en: {
    'payin-contradiction':
      'It said two things about the same payin. The payin stays as it was; ask the network.',
    'payout-contradiction':
      'It said two things about the same payout. The payout stays as it was; ask the network.',
    'payin-unresolved': 'We keep asking. If the money is in your account already, talk to the network.',
    'payout-unresolved': 'The money stays reserved, and we keep asking. Do not pay it again in another way.',
    'refund-unresolved':
      'The money stays reserved, and we keep asking. Do not give it back again in another way.',
    'orphan-notice': 'It may be money for a payin that was not made with us.',
    reconciliation: 'What the network says and what your books say is not the same.',
    'statement-late': 'That day is not reconciled yet. We keep trying.',
    'balance-below-minimum':
      'Payouts that it does not cover are declined. You set the minimum in your notifications.',
    'batch-altered':
      'Somebody changed its rows after they were approved. Nothing was sent, and the money stays reserved.',
    'connection-refused':
      'Its payments wait. Test the connection and correct its keys; the alarm ends by itself when the provider takes them.',
    'address-refused':
      'We refused the request. If the address is not yours, the credential has leaked: roll it.',
    'failed-sign-ins': 'Somebody tries credentials that do not work.',
    'many-refusals': 'It may be a program with a bug, or somebody who has the credential and should not.',
    'many-missed-lookups': 'It may be a program with a bug, or somebody who looks for whose key is whose.',
  },
}
