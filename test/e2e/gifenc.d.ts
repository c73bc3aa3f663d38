/** What we use of gifenc, which brings no types. */
declare module 'gifenc' {
  type Palette = readonly (readonly number[])[];
  interface FrameOptions {
    readonly palette?: Palette | undefined;
    readonly delay?: number;
    readonly transparent?: boolean;
    readonly transparentIndex?: number;
    readonly dispose?: number;
  }
  interface Encoder {
    writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  export function GIFEncoder(): Encoder;
  export function quantize(rgba: Uint8Array, colors: number, options: { readonly format: 'rgb565' }): Palette;
  export function applyPalette(rgba: Uint8Array, palette: Palette, format: 'rgb565'): Uint8Array;
}
