// CHANGELOG.md in the form of keepachangelog.com: what is not released yet first, then the versions, newest first, each with its day
// and with its changes by kind.

const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
const RELEASED = /^\[(?<version>\d+\.\d+\.\d+[\w.-]*)\] - (?<day>\d{4}-\d{2}-\d{2})$/
const UNRELEASED = '[Unreleased]'

type Section = { readonly head: string; readonly body: string }

function sectionsOf(text: string): Section[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n')
      return { head: section.slice(0, end).trim(), body: section.slice(end + 1) }
    })
}

const entriesIn = (body: string): number => body.split('\n').filter((line) => line.startsWith('- ')).length

// Of its form, at any time.
export function changelogProblems(text: string): string[] {
  const sections = sectionsOf(text)
  const released = sections.slice(1)
  const days = released.map(({ head }) => RELEASED.exec(head)?.groups?.day ?? '')
  const versions = released.map(({ head }) => RELEASED.exec(head)?.groups?.version ?? '')
  return [
    ...(text.startsWith('# Changelog\n') ? [] : ['CHANGELOG.md does not begin with # Changelog']),
    ...(sections[0]?.head === UNRELEASED
      ? []
      : [`the first section of CHANGELOG.md is not ## ${UNRELEASED}`]),
    ...released
      .filter(({ head }) => !RELEASED.test(head))
      .map(({ head }) => `CHANGELOG.md has ## ${head}, which is not like ## [1.2.3] - 2026-11-17`),
    ...(days.some((day, at) => day < (days[at + 1] ?? ''))
      ? ['the newest section of CHANGELOG.md is not first']
      : []),
    ...(new Set(versions).size < versions.length ? ['CHANGELOG.md has a version twice'] : []),
    ...sections.flatMap(({ head, body }) => [
      ...[...body.matchAll(/^### (.*)$/gm)]
        .filter(([, kind]) => !KINDS.includes(kind as string))
        .map(([, kind]) => `### ${kind} of ${head} is none of ${KINDS.join(', ')}`),
      ...(entriesIn(body.split(/^### /m)[0] ?? '') > 0
        ? [`${head} has changes that stand under no kind`]
        : []),
    ]),
  ]
}

// Before a tag.
export function releasedProblems(text: string, version: string): string[] {
  const own = notesOf(text, version)
  const unreleased = sectionsOf(text).find(({ head }) => head === UNRELEASED)
  return [
    ...(own === undefined
      ? [`CHANGELOG.md has no section for ${version}: npm run release:version -- ${version}`]
      : []),
    ...(own !== undefined && entriesIn(own) === 0
      ? [`the section of ${version} in CHANGELOG.md says nothing`]
      : []),
    ...(own !== undefined && unreleased !== undefined && entriesIn(unreleased.body) > 0
      ? [`${UNRELEASED} has changes that this tag would release under no version`]
      : []),
  ]
}

export function notesOf(text: string, version: string): string | undefined {
  return sectionsOf(text)
    .find(({ head }) => RELEASED.exec(head)?.groups?.version === version)
    ?.body.trim()
}

// What was not released becomes the version's. A version that has its section keeps it.
export function withRelease(text: string, version: string, day: string): string {
  if (notesOf(text, version) !== undefined) return text
  return text.replace(`## ${UNRELEASED}\n`, `## ${UNRELEASED}\n\n## [${version}] - ${day}\n`)
}
