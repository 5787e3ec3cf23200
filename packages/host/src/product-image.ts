/** A drawing of our own, 400 units wide and high. */
interface Drawing {
  /** Gradients that the shapes name. */
  readonly paints: string
  /** What is drawn, from the back to the front. */
  readonly shapes: string
}

/** A bag of coffee with a label, seen from the front; the label's own drawing is put on top. */
function drawBag(bag: { readonly light: string; readonly dark: string; readonly label: string }): Drawing {
  return {
    paints: `
<linearGradient id="bag"><stop offset="0" stop-color="${bag.dark}"/><stop offset=".12" stop-color="${bag.light}"/><stop offset=".8" stop-color="${bag.light}"/><stop offset="1" stop-color="${bag.dark}"/></linearGradient>
<linearGradient id="fold" x2="0" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".16"/><stop offset="1" stop-color="#000" stop-opacity=".22"/></linearGradient>`,
    shapes: `
<ellipse cx="200" cy="343" rx="112" ry="14" fill="#000" opacity=".14"/>
<path d="M116 112c-4 66-8 150-8 214q0 14 14 14h156q14 0 14-14c0-64-4-148-8-214z" fill="url(#bag)"/>
<path d="M116 112c-3 50-6 110-7 162l14 66h-1q-14 0-14-14c0-64 4-148 8-214zM284 112c3 50 6 110 7 162l-14 66h1q14 0 14-14c0-64-4-148-8-214z" fill="#000" opacity=".14"/>
<path d="M120 56h160l4 58H116z" fill="${bag.light}"/>
<path d="M120 56h160l4 58H116z" fill="url(#fold)"/>
<path d="M117 96h166l1 18H116z" fill="#000" opacity=".2"/>
<rect x="106" y="78" width="188" height="13" rx="6.5" fill="#e9dcc3"/>
<rect x="106" y="86" width="188" height="5" rx="2.5" fill="#000" opacity=".12"/>
<circle cx="200" cy="136" r="6" fill="#000" opacity=".25"/><circle cx="200" cy="136" r="2" fill="#fff" opacity=".5"/>
<rect x="138" y="162" width="124" height="140" rx="4" fill="${bag.label}"/>`,
  }
}

/** Two lines of print: letters would need a font that not every machine has. */
function drawPrint(ink: string): string {
  return `<g stroke="${ink}" stroke-linecap="round"><path d="M162 266h76" stroke-width="7"/><path d="M176 284h48" stroke-width="4" opacity=".55"/></g>`
}

const espresso = drawBag({ light: '#4a2c20', dark: '#341d14', label: '#f7efe2' })
const ethiopia = drawBag({ light: '#2f6f66', dark: '#1f4f49', label: '#fdf6e6' })

/** A picture for each product of the seed, so that it looks right without a network. */
const drawings: Readonly<Record<string, Drawing & { readonly background: string }>> = {
  // House Espresso: two beans.
  test_12345: {
    background: '#ecd9c0',
    paints: espresso.paints,
    shapes: `${espresso.shapes}
<g stroke="#f7efe2" stroke-width="4.5" stroke-linecap="round" fill="none"><g transform="rotate(-28 184 212)"><ellipse cx="184" cy="212" rx="20" ry="29" fill="#6b3f2a" stroke="none"/><path d="M184 184c-10 18 10 38 0 56"/></g><g transform="rotate(32 220 216)"><ellipse cx="220" cy="216" rx="18" ry="26" fill="#b5582f" stroke="#f7efe2" stroke-width="4"/><path d="M220 192c-9 16 9 32 0 48"/></g></g>
${drawPrint('#4a2c20')}`,
  },
  // Single Origin Ethiopia: a branch with cherries under the sun.
  test_67890: {
    background: '#d5e3d3',
    paints: ethiopia.paints,
    shapes: `${ethiopia.shapes}
<circle cx="200" cy="208" r="35" fill="#f2b84b"/>
<path d="M160 240c18-6 30-22 44-32s26-14 38-14" fill="none" stroke="#1f4f49" stroke-width="4" stroke-linecap="round"/>
<g fill="#2f6f66"><path d="M178 230c-20 4-32-8-34-22 16-2 30 6 34 22z"/><path d="M208 206c-14-12-12-28-2-38 12 10 14 26 2 38z"/><path d="M214 203c16 12 32 8 40-4-12-12-30-12-40 4z"/></g>
<g fill="#c8402f"><circle cx="192" cy="232" r="11"/><circle cx="213" cy="227" r="11"/><circle cx="205" cy="245" r="11"/></g>
<g fill="#fff" opacity=".45"><circle cx="188.500" cy="228.500" r="3"/><circle cx="209.500" cy="223.500" r="3"/><circle cx="201.500" cy="241.500" r="3"/></g>
${drawPrint('#1f4f49')}`,
  },
  // Hand Grinder: steel, with a crank and a wooden knob.
  test_54321: {
    background: '#cfd8e3',
    paints: `
<linearGradient id="steel"><stop offset="0" stop-color="#6e7783"/><stop offset=".2" stop-color="#e4e9ee"/><stop offset=".42" stop-color="#aab3bd"/><stop offset=".75" stop-color="#8b95a1"/><stop offset="1" stop-color="#555e69"/></linearGradient>
<linearGradient id="grip"><stop offset="0" stop-color="#23272d"/><stop offset=".22" stop-color="#4d545e"/><stop offset=".5" stop-color="#33383f"/><stop offset="1" stop-color="#1b1e23"/></linearGradient>
<linearGradient id="wood"><stop offset="0" stop-color="#8a4f2b"/><stop offset=".35" stop-color="#d08a55"/><stop offset="1" stop-color="#7a4322"/></linearGradient>`,
    shapes: `
<ellipse cx="190" cy="347" rx="82" ry="12" fill="#000" opacity=".16"/>
<rect x="134" y="150" width="112" height="196" rx="12" fill="url(#steel)"/>
<rect x="134" y="206" width="112" height="84" fill="url(#grip)"/>
<g stroke="#000" stroke-opacity=".35" stroke-width="2"><path d="M134 206h112M134 290h112M134 172h112M134 318h112"/></g>
<g stroke="#fff" stroke-opacity=".1" stroke-width="3"><path d="M150 208v80M163 208v80M176 208v80M189 208v80M202 208v80M215 208v80M228 208v80"/></g>
<path d="M140 150c0-22 14-34 50-34s50 12 50 34z" fill="url(#steel)"/>
<path d="M140 150h100" stroke="#000" stroke-opacity=".3" stroke-width="2"/>
<rect x="180" y="84" width="20" height="36" rx="6" fill="url(#steel)"/>
<path d="M190 86 306 70" stroke="#3c434c" stroke-width="13" stroke-linecap="round"/>
<path d="M190 83 306 67" stroke="#fff" stroke-opacity=".35" stroke-width="3" stroke-linecap="round"/>
<circle cx="190" cy="86" r="12" fill="#59626d"/><circle cx="190" cy="86" r="5" fill="#cdd4db"/>
<path d="M290 62c0-16 8-28 16-28s16 12 16 28v8c0 6-7 10-16 10s-16-4-16-10z" fill="url(#wood)"/>
<path d="M300 44c-3 5-4 11-4 18" fill="none" stroke="#fff" stroke-opacity=".4" stroke-width="3" stroke-linecap="round"/>`,
  },
  // Stoneware Mug: two glazes and a speckled foot.
  test_00000: {
    background: '#e6dccf',
    paints: `
<linearGradient id="clay"><stop offset="0" stop-color="#b79a7c"/><stop offset=".25" stop-color="#e2cbb0"/><stop offset=".7" stop-color="#cfb496"/><stop offset="1" stop-color="#9d8164"/></linearGradient>
<linearGradient id="glaze"><stop offset="0" stop-color="#2c4a63"/><stop offset=".25" stop-color="#5d86a6"/><stop offset=".7" stop-color="#41698a"/><stop offset="1" stop-color="#243d53"/></linearGradient>`,
    shapes: `
<ellipse cx="192" cy="336" rx="112" ry="14" fill="#000" opacity=".14"/>
<path d="M270 180h18c30 0 50 20 50 49s-22 53-56 53h-20" fill="none" stroke="#35577a" stroke-width="24" stroke-linecap="round"/>
<path d="M272 172h16c32 0 56 20 58 50" fill="none" stroke="#fff" stroke-opacity=".28" stroke-width="4" stroke-linecap="round"/>
<path d="M98 138h188l-8 158q-4 40-44 40h-84q-40 0-44-40z" fill="url(#clay)"/>
<path d="M98 138h188l-6 122c-12 16-22-6-36 2s-18 26-32 20-14-24-30-18-16 30-30 26-12-30-26-28-14 12-24 2z" fill="url(#glaze)"/>
<ellipse cx="192" cy="138" rx="94" ry="20" fill="#6f97b5"/><ellipse cx="192" cy="140" rx="82" ry="14" fill="#2b1a12"/>
<path d="M118 138c20-8 100-12 146-2" fill="none" stroke="#8a5a3b" stroke-width="4" stroke-linecap="round" opacity=".7"/>
<path d="M122 172c0 34 3 60 7 84" fill="none" stroke="#fff" stroke-opacity=".3" stroke-width="9" stroke-linecap="round"/>
<g fill="#6d5238" opacity=".55"><circle cx="146" cy="312" r="2"/><circle cx="170" cy="322" r="1.500"/><circle cx="198" cy="310" r="2"/><circle cx="222" cy="318" r="1.500"/><circle cx="242" cy="304" r="2"/><circle cx="132" cy="296" r="1.500"/><circle cx="186" cy="298" r="1.500"/><circle cx="258" cy="290" r="1.500"/></g>
<g fill="none" stroke="#fff" stroke-width="7" stroke-linecap="round" opacity=".6"><path d="M160 102c-16-18 14-28-2-52"/><path d="M196 96c-16-18 14-28-2-52"/><path d="M232 102c-16-18 14-28-2-52"/></g>`,
  },
}

/** The products that have a picture. */
export const drawnProducts: readonly string[] = Object.keys(drawings)

/** The picture of a product of the seed as an SVG document, or `undefined` for any other. */
export function productImage(productId: string): string | undefined {
  const drawing = Object.hasOwn(drawings, productId) ? drawings[productId] : undefined
  if (drawing === undefined) return undefined
  const { background, paints, shapes } = drawing
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400" width="400" height="400"><defs>${paints}
<radialGradient id="light" cx=".4" cy=".3" r=".9"><stop offset="0" stop-color="#fff" stop-opacity=".5"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs>
<rect width="400" height="400" fill="${background}"/><rect width="400" height="400" fill="url(#light)"/>${shapes}</svg>`
}
