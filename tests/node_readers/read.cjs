// Read a file by a package of others and print what it finds as JSON: node read.cjs READER FILE
const fs = require("fs");

const [reader, file] = process.argv.slice(2);
const bytes = fs.readFileSync(file);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const text = () => bytes.toString("utf8");

const readers = {
  json: () => JSON.parse(text()),
  "tiled-map-type-guard": () =>
    require("@workadventure/tiled-map-type-guard").ITiledMap.parse(JSON.parse(text())),
  "gltf-validator": () => require("gltf-validator").validateBytes(new Uint8Array(buffer)),
  "gltf-transform": async () => {
    const { NodeIO } = await import("@gltf-transform/core");
    const root = (await new NodeIO().readBinary(new Uint8Array(buffer))).getRoot();
    return root.listNodes().filter((node) => node.getMesh()).map((node) => {
      const [shape] = node.getMesh().listPrimitives();
      const list = (name) => [...shape.getAttribute(name).getArray()];
      const triangles = [...shape.getIndices().getArray()];
      return { name: node.getName(), triangles, points: list("POSITION"), colors: list("COLOR_0") };
    });
  },
};

(async () => process.stdout.write(JSON.stringify(await readers[reader]())))();
