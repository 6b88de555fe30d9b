// Which mutants a run is about, and what is said to whoever asks for something else.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { choose } from '../../mutate/choose.ts'
import { readFlags } from '../../mutate/flags.ts'
import { readSources } from '../../mutate/sources.ts'
import { ADULT_SOURCE, createProject, type Project } from './project.ts'

function chosen({ directory }: Project, ...flags: string[]): { changes: string[]; said: string[] } {
  const said: string[] = []
  const mutants = choose(directory, readSources(directory), readFlags(flags), (line) => said.push(line))
  return { changes: mutants.map(({ after }) => after.trim()), said }
}

describe('the mutants of a run', () => {
  it('are drawn by the seed', () => {
    using project = createProject({ 'src/core/age.ts': ADULT_SOURCE })
    const two = (seed: string) => chosen(project, '--sample', '2', '--seed', seed).changes
    assert.equal(two('1').length, 2)
    assert.deepEqual(two('1'), two('1'))
    assert.notDeepEqual(two('1'), two('2'))
  })

  it('stand on the lines that have changed, where that is asked', () => {
    using project = createProject({ 'src/core/age.ts': ADULT_SOURCE })
    for (const args of [['init'], ['add', '.'], ['commit', '-m', 'begun']]) project.git(...args)
    assert.deepEqual(chosen(project, '--changed').changes, [])
    const isChild = (body: string): string => `export const isChild = (age: number) => ${body}`
    project.write('src/core/age.ts', `${ADULT_SOURCE}${isChild('!isAdult(age)')}\n`)
    assert.deepEqual(chosen(project, '--changed').changes, [isChild('isAdult(age)')])
    project.git('commit', '-am', 'children')
    assert.deepEqual(chosen(project, '--changed').changes, [])
    assert.deepEqual(chosen(project, '--changed', 'HEAD~1').changes, [isChild('isAdult(age)')])
    assert.throws(() => chosen(project, '--changed', 'v9'), /--changed v9: git knows no such revision/)
  })

  it('are not those proven to change nothing, unless too many are said to be', () => {
    using project = createProject({ 'src/core/age.ts': ADULT_SOURCE })
    const entries = ['return age > 18', 'return age >= 0', 'return true'].map((after) => ({
      file: 'src/core/age.ts',
      before: 'return age >= 18',
      after,
      occurrence: 0,
      reason: 'nobody is ever asked',
    }))
    const put = (list: object[]): void => project.write('mutate/equivalent.json', JSON.stringify(list))
    const all = chosen(project).changes
    put(entries.slice(0, 2))
    assert.deepEqual(
      chosen(project).changes,
      all.filter((change) => change !== 'return age > 18' && change !== 'return age >= 0'),
    )
    put(entries)
    assert.throws(() => chosen(project), /3 of 5 mutants are set aside as equivalent, more than 5 %/)
    put([{ ...entries[0], reason: '' }])
    assert.throws(() => chosen(project), /say in "reason" why it changes nothing/)
    put([{ ...entries[0], before: 'return age >= 21' }])
    assert.match(chosen(project).said.join(), /no such mutant any more, take it out: src\/core\/age\.ts/)
  })
})

it('a wrong flag is told what is wrong and what to write instead', () => {
  using project = createProject({ 'src/core/age.ts': ADULT_SOURCE })
  const wrong: [string[], RegExp][] = [
    [['--rooms', 'core'], /'--rooms'.*There are --sample, /],
    [['--sample', 'many'], /--sample many is no number from 1 on: write for instance --sample 400/],
    [['--bar', '120'], /--bar 120 is no number from 0 to 100: write for instance --bar 90/],
    [['--room', 'cellar'], /--room cellar: there are core\./],
    [['--kind', 'sql'], /--kind sql: there are condition, /],
    [
      ['--file', 'age.ts'],
      /--file age\.ts: it is none of the sources; write for instance --file src\/core\/age\.ts/,
    ],
    [['--equivalent', 'none.json'], /none\.json: there is no such file/],
    [['--survivors'], /--survivors: no mutant survived a run before/],
  ]
  for (const [flags, message] of wrong) assert.throws(() => chosen(project, ...flags), message)
})
