/** A drawing of our own for each product of the seed, so that it looks right without a network. */
const drawings: Readonly<Record<string, { background: string; shape: string }>> = {
  test_12345: {
    background: '#f3e7d8',
    shape:
      '<path d="M128 112h144l14 192a20 20 0 0 1-20 21H134a20 20 0 0 1-20-21z" fill="#8a5a3b"/><path d="M128 112l14-36h116l14 36z" fill="#6e452b"/><rect x="142" y="168" width="116" height="92" rx="10" fill="#fbf6ee"/><path d="M200 186c22 0 34 14 34 29s-14 29-34 29-34-14-34-29 14-29 34-29z" fill="#8a5a3b"/><path d="M196 188c-14 18 20 34 6 54" fill="none" stroke="#fbf6ee" stroke-width="5" stroke-linecap="round"/>',
  },
  test_67890: {
    background: '#dfeae2',
    shape:
      '<rect x="176" y="64" width="48" height="44" rx="8" fill="#2f4f43"/><path d="M166 108h68c22 16 32 40 32 66v132a20 20 0 0 1-20 20h-92a20 20 0 0 1-20-20V174c0-26 10-50 32-66z" fill="#4d7c67"/><rect x="134" y="196" width="132" height="84" fill="#f4f8f2"/><path d="M200 212c26 6 34 28 20 52-28-4-40-26-20-52z" fill="#4d7c67"/>',
  },
  test_54321: {
    background: '#e3e6f3',
    shape:
      '<path d="M96 152h208v160a16 16 0 0 1-16 16H112a16 16 0 0 1-16-16z" fill="#5a67a6"/><rect x="84" y="116" width="232" height="48" rx="10" fill="#47528a"/><rect x="184" y="116" width="32" height="212" fill="#f2c14e"/><path d="M200 114c-44-2-66-26-50-42 18-16 42 8 50 42zm0 0c44-2 66-26 50-42-18-16-42 8-50 42z" fill="none" stroke="#f2c14e" stroke-width="12"/>',
  },
  test_00000: {
    background: '#ececec',
    shape:
      '<path d="M124 140h132v110a52 52 0 0 1-52 52h-28a52 52 0 0 1-52-52z" fill="#9a9a9a"/><path d="M256 164h18a34 34 0 0 1 0 68h-18" fill="none" stroke="#9a9a9a" stroke-width="16"/><path d="M164 116c-12-16 12-24 0-42m52 42c-12-16 12-24 0-42" fill="none" stroke="#bcbcbc" stroke-width="8" stroke-linecap="round"/>',
  },
}

/** The products that have a picture. */
export const drawnProducts: readonly string[] = Object.keys(drawings)

/** The picture of a product of the seed as an SVG document, or `undefined` for any other. */
export function productImage(productId: string): string | undefined {
  const drawing = Object.hasOwn(drawings, productId) ? drawings[productId] : undefined
  if (drawing === undefined) return undefined
  const { background, shape } = drawing
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400" width="400" height="400"><rect width="400" height="400" fill="${background}"/>${shape}</svg>`
}
