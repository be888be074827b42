/** A file that goes with the build: its name there, relative to the script. */
declare module "*.svg" {
    const name: string;
    export default name;
}
