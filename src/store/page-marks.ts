// What a payer's page shows, as a short mark that differs whenever the page would. One statement reads the marks of many pages.

import type { PayinAddress } from '../core/payins/payin.ts'
import type { Queryable } from './db.ts'

export type LinkTokenAddress = { organizationId: string; token: Buffer }

// Null for a payin that does not exist.
export async function payinPageMarks(
  db: Queryable,
  addresses: readonly PayinAddress[],
): Promise<(string | null)[]> {
  const result = await db.query<{ mark: string | null }>({
    name: 'payin-page-marks',
    text: `select concat_ws('/', p.version, p.rail_stage, p.bank_url) as mark
             from unnest($1::uuid[], $2::uuid[]) with ordinality as a (organization_id, payin_id, place)
             left join payins p on p.organization_id = a.organization_id and p.payin_id = a.payin_id
            order by a.place`,
    values: [addresses.map(({ organizationId }) => organizationId), addresses.map(({ payinId }) => payinId)],
  })
  return result.rows.map(({ mark }) => mark || null)
}

// Of the link and of all its attempts: which of them is shown depends on all.
export async function linkPageMarks(
  db: Queryable,
  addresses: readonly LinkTokenAddress[],
): Promise<(string | null)[]> {
  const result = await db.query<{ mark: string | null }>({
    name: 'link-page-marks',
    text: `select concat_ws('/', l.version, attempts.marks) as mark
             from unnest($1::uuid[], $2::bytea[]) with ordinality as a (organization_id, token, place)
             left join payment_links l on l.organization_id = a.organization_id and l.token = a.token
             left join lateral (
                    select string_agg(concat_ws('/', p.payin_id, p.version, p.rail_stage, p.bank_url), ' '
                                      order by p.payin_id) as marks
                      from payins p
                     where p.organization_id = l.organization_id and p.payment_link_id = l.payment_link_id) attempts on true
            order by a.place`,
    values: [addresses.map(({ organizationId }) => organizationId), addresses.map(({ token }) => token)],
  })
  return result.rows.map(({ mark }) => mark || null)
}
