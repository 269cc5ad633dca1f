// The plane as a file. Plotly's own way to a PNG goes through a blob: picture, which the content security policy forbids;
// the drawing as a data: URL is allowed, and a canvas makes the PNG of it.

const WIDTH = 1200, HEIGHT = 800;

const save = (href, name) => {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
};

const blobOf = (canvas) => new Promise((done) => canvas.toBlob(done, "image/png"));

const painted = async (drawing, ground) => {
  const picture = new Image();
  picture.src = drawing;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * WIDTH;
  canvas.height = 2 * HEIGHT;
  const pen = canvas.getContext("2d");
  pen.fillStyle = ground;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return blobOf(canvas);
};

export const savePicture = async (node, kind, ground) => {
  const drawing = await Plotly.toImage(node, { format: "svg", width: WIDTH, height: HEIGHT });
  const blob = kind === "png" ? await painted(drawing, ground) : new Blob([decodeURIComponent(drawing.slice(drawing.indexOf(",") + 1))], { type: "image/svg+xml" });
  const address = URL.createObjectURL(blob);
  save(address, `frontier.${kind}`);
  setTimeout(() => URL.revokeObjectURL(address), 10000);
};
