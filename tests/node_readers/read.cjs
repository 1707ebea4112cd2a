// Read a file by a package of others and print what it finds as JSON: node read.cjs READER FILE
const fs = require("fs");
const path = require("path");

const [reader, file] = process.argv.slice(2);
const bytes = fs.readFileSync(file);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const text = () => bytes.toString("utf8");

// Phaser's parser of maps is a part of a program for browsers; whatever it asks one for is this.
function standInForABrowser() {
  const toNumber = (_, name) => (name === Symbol.toPrimitive ? () => 0 : anything);
  const handler = { get: toNumber, apply: () => anything, construct: () => anything };
  const anything = new Proxy(function () {}, { ...handler, set: () => true });
  const elements = ["Element", "HTMLElement", "HTMLCanvasElement", "HTMLVideoElement"];
  for (const name of ["window", "document", "navigator", "Image", ...elements])
    Object.defineProperty(globalThis, name, { value: anything, configurable: true });
}

const readers = {
  json: () => JSON.parse(text()),
  "tiled-map-type-guard": () =>
    require("@workadventure/tiled-map-type-guard").ITiledMap.parse(JSON.parse(text())),
  phaser: () => {
    standInForABrowser();
    const folder = path.dirname(require.resolve("phaser/package.json"));
    const parse = require(path.join(folder, "src/tilemaps/parsers/tiled/ParseJSONTiled.js"));
    const map = parse("map", JSON.parse(text()), false);
    const index = (tile) => tile.index;
    return map.layers.map(({ name, data }) => ({ name, data: data.map((row) => row.map(index)) }));
  },
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
