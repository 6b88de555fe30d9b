// Files of payouts to people whom the simulated directory knows: the key is the document, and the name is the directory's.

import { keyRecord } from '../../../src/sandbox/directory.ts'
import { type Answer, type Client, eventually, type World } from '../../world.ts'

export const HEAD = 'llave;valor;referencia;nombre;tipo_documento;documento;correo'

export function person(at: number): { idNumber: string; name: string } {
  const idNumber = String(1_100_000_000 + at)
  return { idNumber, name: keyRecord('NRIC', idNumber).person.name }
}

export function goodRow(at: number, amount = '50.000'): string {
  const { idNumber, name } = person(at)
  return `${idNumber};${amount};nomina-${at};${name};CC;${idNumber};p${at}@example.com`
}

export function csv(...rows: string[]): string {
  return Buffer.from([HEAD, ...rows].join('\r\n')).toString('base64')
}

export async function handIn(client: Client, ...rows: string[]): Promise<Answer> {
  return client('POST', '/payout-batches', { file: csv(...rows), fileName: 'nomina.csv' })
}

// As it is when its keys were looked up.
export async function checkedBatch(world: World, client: Client, ...rows: string[]) {
  const made = await handIn(client, ...rows)
  if (made.status !== 201) throw new Error(made.text)
  // On a busy machine the directory may be asked twice.
  return eventually(
    async () => {
      await world.work()
      return (await client('GET', `/payout-batches/${made.json.id}`)).json
    },
    ({ status }) => status !== 'CHECKING',
  )
}
