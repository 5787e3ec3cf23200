/** Draws a placeholder image as SVG. Replace it with the URLs of your product images. */
export function drawImage(file: string): string {
  const letter = /[a-z0-9]/i.exec(file)?.[0]?.toUpperCase() ?? ''
  const hue = [...file].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 360, 0)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400"><rect width="400" height="400" fill="hsl(${hue} 40% 88%)"/><text x="200" y="265" text-anchor="middle" font-family="sans-serif" font-size="180" fill="hsl(${hue} 40% 35%)">${letter}</text></svg>`
}
