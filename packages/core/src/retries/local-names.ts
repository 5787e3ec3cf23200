/** Where the four numbers begin: known to this process alone, and made with the first click, since not every runtime makes random numbers before a call. */
let seeds: Uint32Array | undefined

/**
 * Names a text, and the same text with another behind it, by 128 bits that mean nothing outside this process: strings of
 * eight characters.
 *
 * They are no digests: whoever knew the seeds could find two texts of one name. Nobody does, and two texts that differ have
 * the same name as seldom as two digests of that length. They take a tenth of the time, and leave nothing to collect.
 */
export function localNames(text: string, more: string): readonly [ofText: string, ofBoth: string] {
  seeds ??= crypto.getRandomValues(new Uint32Array(4))
  const state: State = [seeds[0] ?? 0, seeds[1] ?? 0, seeds[2] ?? 0, seeds[3] ?? 0]
  mix(state, text)
  const ofText = written(state)
  mix(state, more)
  return [ofText, written(state)]
}

type State = [number, number, number, number]

function mix(state: State, text: string): void {
  let [one, two, three, four] = state
  for (let index = 0; index <= text.length; index++) {
    // The length stands at the end, so that no two texts one behind the other are taken for two others.
    const unit = index === text.length ? text.length : text.charCodeAt(index)
    // Odd factors: no step loses anything of what came before.
    one = Math.imul(one ^ unit, 0x9e3779b1)
    two = Math.imul(two ^ unit, 0x85ebca77)
    three = Math.imul(three ^ unit, 0xc2b2ae3d)
    four = Math.imul(four ^ unit, 0x27d4eb2f)
  }
  state[0] = one
  state[1] = two
  state[2] = three
  state[3] = four
}

function written([one, two, three, four]: State): string {
  return units(one, two) + units(three, four)
}

function units(one: number, two: number): string {
  return String.fromCharCode(one >>> 16, one & 0xffff, two >>> 16, two & 0xffff)
}
