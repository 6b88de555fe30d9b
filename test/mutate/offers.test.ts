// What bugs mutate offers to plant.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { applied, type Kind, type Mutant } from '../../mutate/mutant.ts'
import { mutantsOf } from '../../mutate/sources.ts'
import { parse, parses } from '../../mutate/syntax.ts'

function offered(text: string): Mutant[] {
  const path = 'src/core/sample.ts'
  const mutants = mutantsOf([{ path, text, tree: parse(path, text) }])
  for (const mutant of mutants) assert.ok(parses(path, applied(text, mutant)), applied(text, mutant))
  return mutants
}

function changes(text: string, kind: Kind): string[] {
  return offered(text)
    .filter((mutant) => mutant.kind === kind)
    .map((mutant) => applied(text, mutant))
}

describe('in code, mutate offers', () => {
  it('a condition that always or never holds', () => {
    assert.deepEqual(changes('if (a) b()', 'condition'), ['if (true) b()', 'if (false) b()'])
  })

  it('each operand of a condition forgotten', () => {
    assert.deepEqual(changes('x = a && (b || c)', 'condition'), [
      'x = a',
      'x = (b || c)',
      'x = a && (b)',
      'x = a && (c)',
    ])
  })

  it('a comparison shifted by one', () => {
    assert.deepEqual(changes('x = a < b', 'comparison'), ['x = a <= b'])
    assert.deepEqual(changes('x = a === b', 'comparison'), ['x = a !== b'])
  })

  it('the smaller for the larger of two', () => {
    assert.deepEqual(changes('x = Math.min(a, 5)', 'comparison'), ['x = Math.max(a, 5)'])
  })

  it('constants of another size', () => {
    assert.deepEqual(changes('const REST_MS = 250', 'constant'), ['const REST_MS = 0', 'const REST_MS = 500'])
    assert.deepEqual(changes('x = y * 100n', 'constant'), ['x = y * 0n', 'x = y * 200n'])
  })

  it('two arguments exchanged, but not for ones of another sort', () => {
    assert.deepEqual(changes('x = f(a, b)', 'arguments'), ['x = f(b, a)'])
    assert.deepEqual(changes('x = f(a, () => 1)', 'arguments'), [])
    assert.deepEqual(changes('x = Math.min(a, b)', 'arguments'), [])
  })

  it('a call or an assignment forgotten', () => {
    assert.deepEqual(changes('if (a) await b()', 'call'), ['if (a) ;'])
    assert.deepEqual(changes('lane.isTrusted = false', 'call'), [';'])
  })

  it('a list that is not narrowed', () => {
    assert.deepEqual(changes('const x = list.filter(isOpen)', 'call'), ['const x = list'])
  })

  it('a property and a spread left out', () => {
    assert.deepEqual(changes('x = { a, ...b }', 'property'), ['x = {  ...b }', 'x = { a }'])
    assert.deepEqual(changes('x = { name: "due", text }', 'property'), ['x = { name: "due" }'])
  })

  it('a branch that does nothing', () => {
    assert.deepEqual(changes('if (a) b()\nelse c()', 'branch'), ['if (a) b()\nelse {}'])
    assert.deepEqual(changes('try { a() } catch { b() }', 'branch'), ['try { a() } catch {}'])
    assert.deepEqual(
      changes('try { a() } catch { // It may fail.\n }', 'branch'),
      [],
      'it does nothing already',
    )
  })

  it('a return value that is always the same', () => {
    const made = changes('async function f(): Promise<boolean> { return g() }', 'return')
    assert.deepEqual(
      made.map((text) => /return (\w+)/.exec(text)?.[1]),
      ['true', 'false'],
    )
  })

  it('a part of a key missing', () => {
    assert.deepEqual(changes(['x = `webhook $', '{id}`'].join(''), 'text'), ['x = `webhook `'])
  })

  it('nothing in types and names of modules', () => {
    assert.deepEqual(offered("import { a } from './a.ts'\nexport type B = { c: 1 } & (typeof a)[0]\n"), [])
  })
})

describe('in SQL, mutate offers', () => {
  const sql = (text: string): string => `db.query(\`${text}\`)`
  const inSql = (text: string, kind: Kind): string[] =>
    changes(sql(text), kind).map((change) => change.slice('db.query(`'.length, -'`)'.length))

  it('a dropped organization predicate, as a guard', () => {
    assert.deepEqual(inSql('select a from b where organization_id = $1 and c = $2', 'sql-guard'), [
      'select a from b where (organization_id = $1 or true) and c = $2',
    ])
  })

  it('every other predicate dropped, also of joins and inner statements', () => {
    assert.deepEqual(
      inSql(
        'select a from b join c on b.d = c.d where exists (select 1 from e where f = g)',
        'sql-predicate',
      ),
      [
        'select a from b join c on (b.d = c.d or true) where exists (select 1 from e where f = g)',
        'select a from b join c on b.d = c.d where (exists (select 1 from e where f = g) or true)',
        'select a from b join c on b.d = c.d where exists (select 1 from e where (f = g or true))',
      ],
    )
  })

  it('each of two alternatives dropped', () => {
    assert.deepEqual(inSql('delete from a where (b is null or c = d)', 'sql-predicate'), [
      'delete from a where ((b is null or c = d) or true)',
      'delete from a where ((b is null and false) or c = d)',
      'delete from a where (b is null or (c = d and false))',
    ])
  })

  it('the guard of an upsert dropped, but not the index it names', () => {
    const upsert = 'insert into a (b) values (1) on conflict (b) where d is null do update set c = 2'
    assert.deepEqual(inSql(`${upsert} where a.version = 3`, 'sql-guard'), [
      `${upsert} where (a.version = 3 or true)`,
    ])
    assert.deepEqual(inSql(`${upsert} where a.version = 3`, 'sql-predicate'), [])
  })

  it('both ends of between together', () => {
    assert.deepEqual(inSql('delete from a where b between 1 and 2 and c = 3', 'sql-predicate'), [
      'delete from a where (b between 1 and 2 or true) and c = 3',
      'delete from a where b between 1 and 2 and (c = 3 or true)',
    ])
  })

  it('locks not taken, and waited for', () => {
    assert.deepEqual(inSql('select a from b for update of b skip locked', 'sql-lock'), [
      'select a from b ',
      'select a from b for update of b ',
    ])
  })

  it('a limit of one more, a comparison shifted, the other order', () => {
    const text = 'select a from b where c <= $1 order by d limit $2'
    assert.deepEqual(inSql(text, 'sql-limit'), ['select a from b where c <= $1 order by d limit $2 + 1'])
    assert.deepEqual(inSql(text, 'sql-comparison'), ['select a from b where c < $1 order by d limit $2'])
    assert.deepEqual(inSql(text, 'sql-order'), ['select a from b where c <= $1 order by d desc limit $2'])
  })

  it('a column that keeps what it was', () => {
    assert.deepEqual(inSql('update a x set b = $1, c = null where d = 1', 'sql-set'), [
      'update a x set b = case when true then x.b else $1 end, c = null where d = 1',
      'update a x set b = $1, c = case when true then x.c else null end where d = 1',
    ])
  })
})

it('a mutant stays itself when lines move, and differs from its like', () => {
  const text = 'f(a, 1)\nf(a, 1)\n'
  const ids = offered(text).map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(
    offered(`// Above.\n\n${text}`).map(({ id }) => id),
    ids,
  )
})
