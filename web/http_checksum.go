package web

import "hash/crc32"

// joinSums returns the CRC-32 of two texts one after the other, from their checksums and the number of bytes of the
// second one. So a body whose parts have known checksums need not be read again.
//
// A checksum is a polynomial over the field of two elements, modulo the polynomial of RFC 1952, section 8. The
// bytes that follow multiply the checksum of the first text by x^8 each. The algorithm is the one of
// crc32_combine in zlib.
func joinSums(first, second uint32, size int) uint32 {
	power := uint32(1 << 23) // x^8; the highest bit is x^0
	for ; size > 0; size >>= 1 {
		if size&1 == 1 {
			first = multiply(first, power)
		}
		power = multiply(power, power)
	}
	return first ^ second
}

// multiply returns the product of two polynomials modulo the polynomial of CRC-32.
func multiply(a, b uint32) (product uint32) {
	for bit := uint32(1 << 31); bit != 0; bit >>= 1 {
		if a&bit != 0 {
			product ^= b
		}
		// Multiply b by x: the bits move towards the lower powers' side, and x^32 is replaced.
		if b&1 == 1 {
			b = b>>1 ^ crc32.IEEE
		} else {
			b >>= 1
		}
	}
	return product
}
