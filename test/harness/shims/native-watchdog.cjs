// Takes the place of the native module native-watchdog, which npm cannot deliver without a compiler: an extension
// host whose server has died ends itself.
exports.start = (pid) => {
  const look = () => {
    try {
      process.kill(pid, 0);
    } catch {
      process.exit(87);
    }
  };
  setInterval(look, 1000).unref();
};
