// What Parley's activation is measured against: an extension that does nothing.
exports.activate = () => {};
