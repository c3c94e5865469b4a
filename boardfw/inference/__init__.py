"""From trace to explanation: which game do these switches tell?"""
