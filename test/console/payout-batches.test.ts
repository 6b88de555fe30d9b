// A batch in the console: whoever prepares it sees its people when they ask, a cell that is emptied is empty, and what is refused says
// in Spanish what to change and where.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { checkedBatch, csv, goodRow, person } from '../api/payout-batches/files.ts'
import { setRules } from '../flows/approvals/approving.ts'
import { createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'

describe('a batch in the console', () => {
  let world: World
  let owner: Person
  let preparer: Person
  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
    preparer = await signIn(world, 'preparer')
  })
  after(() => world[Symbol.asyncDispose]())

  const newBatch = async (...rows: string[]): Promise<string> =>
    (await checkedBatch(world, world.client, ...rows)).id
  const row = async (batchId: string, number: number) =>
    (await world.client('GET', `/payout-batches/${batchId}/rows`)).json.data.find(
      (one: { row: number }) => one.row === number,
    )
  const ask = async (who: Person, path: string): Promise<string> => {
    const { status, location } = await who.post(`${path}/show-person`)
    assert.equal(status, 303)
    return new URL(location ?? '', world.baseUrl).search
  }

  it('shows its people to whoever prepares it once they ask, in every row, and writes that down', async () => {
    const { name, idNumber } = person(1)
    const batchId = await newBatch(goodRow(1), goodRow(2))
    const path = `/batches/${batchId}`
    const masked = await preparer.get(path)
    assert.ok(masked.text.includes('Mostrar datos'))
    for (const secret of [name, idNumber]) assert.ok(!masked.text.includes(secret), secret)
    assert.equal((await preparer.get(`${path}/result.csv`)).status, 404)

    const shown = await ask(preparer, path)
    const { text } = await preparer.get(`${path}${shown}`)
    for (const secret of [name, idNumber]) assert.ok(text.includes(secret), secret)
    const [, fix = ''] = /href="([^"]+\/rows\/2\?[^"]+)"/.exec(text) ?? []
    const rowPage = await preparer.get(fix.replaceAll('&amp;', '&'))
    assert.ok(rowPage.text.includes(`value="${name}"`))
    const file = await preparer.get(`${path}/result.csv${shown}`)
    assert.equal(file.status, 200)
    assert.ok(file.text.includes(name))
    const [entry] = (await world.client('GET', `/audit?objectId=${batchId}&pageSize=1`)).json.data
    assert.deepEqual([entry.act, entry.actor.id], ['customer.show', preparer.userId])

    const other = await newBatch(goodRow(3))
    assert.ok(!(await preparer.get(`/batches/${other}${shown}`)).text.includes(person(3).name))
    const approver = await signIn(world, 'developer')
    assert.ok(!(await approver.get(`${path}${shown}`)).text.includes(name))
    assert.equal((await approver.post(`${path}/show-person`)).status, 303)
    assert.ok(!(await approver.get(path)).text.includes(name))
  })

  it('a cell that is emptied is empty, and whoever sees none of them leaves them as they are', async () => {
    const wrong = `${goodRow(4).slice(0, goodRow(4).lastIndexOf(';'))};malo@`
    const batchId = await newBatch(wrong)
    const path = `/batches/${batchId}/rows/2`
    const { name, idNumber } = person(4)
    const cells = {
      '/key': idNumber,
      '/amount': '50.000',
      '/reference': 'nomina-4',
      '/name': name,
      '/idType': 'CC',
      '/idNumber': idNumber,
      '/email': '',
    }
    await preparer.post(path, { ...cells, '/key': '', '/name': '', '/idNumber': '' })
    const kept = await row(batchId, 2)
    assert.deepEqual([kept.key, kept.name, kept.email], [idNumber, name, 'malo@'])
    const emptied = await owner.post(path, cells)
    assert.equal(emptied.status, 303)
    const now = await row(batchId, 2)
    assert.deepEqual([now.key, now.name, now.email, now.problems], [idNumber, name, '', []])

    const shown = await ask(preparer, path)
    await preparer.post(`${path}${shown}`, { ...cells, '/name': '' })
    const [problem] = (await row(batchId, 2)).problems
    assert.deepEqual([problem.column, problem.code], ['name', 'REQUIRED'])
  })

  const problem = (text: string) =>
    (/role="alert"[\s\S]*?<\/div>/.exec(text)?.[0] ?? '').replaceAll(/<[^>]+>|\u00a0/g, ' ')
  const upload = (file: string) =>
    owner.post('/batches/new', { '/file': `data:text/csv;base64,${file}`, '/fileName': 'nomina.csv' })
  const submit = async (batchId: string) => problem((await owner.post(`/batches/${batchId}/submit`)).text)

  it('that cannot be sent says why: what is missing, what must be accepted', async () => {
    const warned = await newBatch(goodRow(10), goodRow(10))
    assert.match(await submit(warned), /Una fila tiene avisos: léelos/)
    const wrong = await newBatch(goodRow(11, '-1'), goodRow(12, '0'))
    assert.match(await submit(wrong), /2 filas tienen errores/)
    const { availableInCents } = (await world.client('GET', '/balance')).json
    const rows = Math.ceil(availableInCents / 1_000_000_000) + 1
    const dear = await newBatch(...Array.from({ length: rows }, (_, at) => goodRow(100 + at, '10.000.000')))
    const missing = (rows * 1_000_000_000 - availableInCents) / 100
    const said = await submit(dear)
    assert.match(said, /faltan \$/)
    assert.ok(said.includes(missing.toLocaleString('es-CO').replaceAll(',', '.')), `${missing}: ${said}`)
  })

  it('whose file is refused says which columns and cells, and which batch is the same file', async () => {
    const other = Buffer.from('cuenta;monto\r\n1;2').toString('base64')
    assert.match(problem((await upload(other)).text), /Faltan: valor, referencia/)
    const comma = 'llave,valor,referencia,nombre,tipo_documento,documento,correo\r\n1,52,000,a,b,CC,1,x'
    assert.match(problem((await upload(Buffer.from(comma).toString('base64'))).text), /Está en H2\./)
    const file = csv(goodRow(20))
    const { location } = await upload(file)
    const again = await upload(file)
    assert.equal(again.status, 409)
    assert.match(problem(again.text), /ya se subió en los últimos 30 días/)
    assert.ok(again.text.includes(`href="${(location ?? '').split('?')[0]}"`))
    assert.match(problem((await owner.post('/batches/new')).text), /Elige un archivo/)
  })

  it('that waits for somebody says so, and leads there; they see what was accepted', async () => {
    await setRules(world, [{ kind: 'payout-batch', tiers: [{ fromAmountInCents: 0, approvers: 1 }] }])
    const batchId = await newBatch(goodRow(30), goodRow(30))
    const { status, location } = await owner.post(`/batches/${batchId}/submit`, { '/acceptWarnings': 'true' })
    assert.deepEqual([status, location?.includes(batchId)], [303, true])
    const { text } = await owner.get(`/batches/${batchId}`)
    assert.match(text, /Otra persona de tu equipo debe aprobarlo/)
    const [, approval = ''] = /href="([^"]+\/approvals\/[0-9a-f-]{36})"/.exec(text) ?? []
    const page = await owner.get(approval)
    assert.match(page.text, /Con avisos que alguien aceptó[\s\S]*only=warnings">Ver las filas \(1\)/)
    assert.match(page.text, /Pidió una aprobación/)
  })
})
