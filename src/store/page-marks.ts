// What a payer's page shows, as a short mark that differs whenever the page would. One statement reads the marks of many pages, on
// whichever machines they are.

import type { PayinAddress } from '../core/payins/payin.ts'
import type { Queryable } from './db.ts'

export type LinkTokenAddress = { organizationId: string; token: Buffer }

// Null for a payin that does not exist.
export async function payinPageMarks(
  db: Queryable,
  addresses: readonly PayinAddress[],
): Promise<(string | null)[]> {
  const result = await db.query<{ organization_id: string; payin_id: string; mark: string }>({
    name: 'payin-page-marks',
    text: `select organization_id, payin_id, concat_ws('/', version, rail_stage, bank_url, key_string, accepted_terms is null) as mark
             from payins
            where (organization_id, payin_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    values: [addresses.map(({ organizationId }) => organizationId), addresses.map(({ payinId }) => payinId)],
  })
  const marks = new Map(result.rows.map((row) => [`${row.organization_id} ${row.payin_id}`, row.mark]))
  return addresses.map(({ organizationId, payinId }) => marks.get(`${organizationId} ${payinId}`) ?? null)
}

// Of the link and of all its attempts: which of them is shown depends on all.
export async function linkPageMarks(
  db: Queryable,
  addresses: readonly LinkTokenAddress[],
): Promise<(string | null)[]> {
  const result = await db.query<{ organization_id: string; token: Buffer; mark: string }>({
    name: 'link-page-marks',
    text: `select l.organization_id, l.token,
                  concat_ws('/', l.version,
                            (select string_agg(concat_ws('/', p.payin_id, p.version, p.rail_stage, p.bank_url, p.key_string), ' '
                                               order by p.payin_id)
                               from payins p
                              where p.organization_id = l.organization_id and p.payment_link_id = l.payment_link_id)) as mark
             from payment_links l
            where (l.organization_id, l.token) in (select * from unnest($1::uuid[], $2::bytea[]))`,
    values: [addresses.map(({ organizationId }) => organizationId), addresses.map(({ token }) => token)],
  })
  const keyOf = (organizationId: string, token: Buffer): string =>
    `${organizationId} ${token.toString('base64')}`
  const marks = new Map(result.rows.map((row) => [keyOf(row.organization_id, row.token), row.mark]))
  return addresses.map(({ organizationId, token }) => marks.get(keyOf(organizationId, token)) ?? null)
}
