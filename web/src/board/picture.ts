// The server's picture of a board as a PNG file.

/** How many pixels the PNG file has for each unit of the SVG file. */
const FINENESS = 2;

/** The same picture as a PNG file. */
export async function pngOf(svg: Blob): Promise<Blob> {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * FINENESS;
    canvas.height = image.naturalHeight * FINENESS;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser made no picture"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
