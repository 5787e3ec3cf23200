import { readFile } from 'node:fs/promises'
import { parseProfile } from './parse-profile.ts'
import type { Profile } from './profile.ts'

/** Reads a profile from a file, in the form that `--init` writes; rejects with TypeError for one that cannot be read or holds no profile. */
export async function readProfile(file: string): Promise<Profile> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new TypeError(`the file ${file} cannot be read`, { cause })
  })
  try {
    return parseProfile(parseJsonc(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw new TypeError(`${file} ${error.message}`, { cause: error })
    if (error instanceof TypeError) throw new TypeError(`${file}\n${error.message}`, { cause: error })
    throw error
  }
}

/** Reads JSON with `//` and block comments and commas before a closing bracket; throws SyntaxError that names the line. */
export function parseJsonc(text: string): unknown {
  // Blanks instead of what JSON does not have, so that positions stay.
  const json = text
    .replace(/^\uFEFF/, ' ')
    .replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (part) => (part.startsWith('"') ? part : blank(part)))
    .replace(/"(?:[^"\\\n]|\\.)*"|(?<=["\w}\]]\s*),(?=\s*[}\]])/g, (part) => (part === ',' ? ' ' : part))
  try {
    return JSON.parse(json)
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const line = position === undefined ? json.split('\n').length : json.slice(0, Number(position)).split('\n').length
    throw new SyntaxError(`is no JSON from line ${line} on`, { cause: error })
  }
}

function blank(part: string): string {
  return part.replace(/[^\n]/g, ' ')
}
