/** The whole address of a picture: one that starts with a slash is below the shop's own address. */
export function pictureUrl(image: string, publicUrl: string): string {
  return image.startsWith('/') ? publicUrl + image : image
}
